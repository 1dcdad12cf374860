import { expect, test } from "vitest";
import { readsOnly } from "./arguments.ts";

test.each([
  "select 1", "  SELECT a FROM b", "(select 1) union (select 2)", "-- why\nselect 1", "/* why */ select 1", "show tables", "describe t", "explain select 1",
  "with x as (select 1) select * from x", "pragma table_info(t)", "values (1)", "select 1;",
])("reads only: %s", (sql) => {
  expect(readsOnly(sql)).toBe(true);
});

test.each([
  "", "insert into t values (1)", "update t set a = 1", "delete from t", "drop table t", "with x as (select 1) insert into t select * from x",
  "select 1; delete from t", "pragma journal_mode = wal", "explain analyze delete from t", "/* open", "-- only a comment", "vacuum", "call p()", `select ${"x".repeat(30_000)}`,
])("may write: %s", (sql) => {
  expect(readsOnly(sql)).toBe(false);
});
