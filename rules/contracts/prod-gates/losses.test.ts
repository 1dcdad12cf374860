import { expect, it } from "vitest";
import { changesOf, coveredBy } from "./losses.ts";
import { readSql } from "./sql.ts";

it.each([
  ["CREATE TABLE orders (id int)", "DROP TABLE public.orders", true],
  ["CREATE TABLE public.orders (id int)", "ALTER TABLE orders DROP COLUMN total", true],
  ["CREATE TABLE public.orders (id int)", "DROP TABLE audit.orders", false],
  ["ALTER TABLE orders ADD COLUMN total int", "ALTER TABLE orders DROP total", true],
  ["ALTER TABLE orders ADD COLUMN total int", "DROP TABLE orders", false],
  ["CREATE TABLE my_orders (id int)", "DROP TABLE orders", false],
])("%s makes what %s takes: %s", (forward, reverse, expected) => {
  const isMade = coveredBy(changesOf(readSql(forward).statements).created);
  expect(changesOf(readSql(reverse).statements).lost.map(isMade)).toEqual([expected]);
});
