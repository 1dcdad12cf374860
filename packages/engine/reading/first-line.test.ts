import { describe, expect, it } from "vitest";
import { contradiction } from "./first-line.ts";

describe("a first line that contradicts the name", () => {
  it.each([
    ["#!/usr/bin/env python3\n1//1;\n", false, "python3"],
    ["#!/opt/python3/bin/python\n", false, "python"],
    ["#!/usr/bin/env -S nice -n 5 python3.11 -I\n", false, "python3.11"],
    ["#!/usr/bin/env -S uv run --script\n", false, "uv"],
    ["#!/bin/bash\n", false, "bash"],
    ["#!/usr/bin/perl -w\n", true, "perl"],
    ["#!/usr/bin/env node\r\nx = 1\r\n", true, "node"],
    ["#!/usr/bin/env -S deno run -A\n", true, "deno"],
  ])("%j, Python by name: %s", (text, python, runner) => {
    expect(contradiction(text, python)?.message).toContain(`has ${runner} run the file`);
  });

  it.each([
    ["#!/usr/bin/env node\n", false],
    ["#!/usr/bin/env -S node --import tsx\n", false],
    ["#!/opt/python3/bin/node\n", false],
    ["#!/usr/bin/env -S deno run --allow-net\n", false],
    ["#!/usr/bin/env bun\n", false],
    ["#!/usr/bin/env -S npx tsx\n", false],
    ["#!/usr/bin/env zx\n", false],
    ["#!/bin/sh\n\":\" //# comment; exec /usr/bin/env node --no-warnings \"$0\" \"$@\"\n", false],
    ["#!/usr/bin/env python3\n", true],
    ["#!/usr/bin/python2.7 -u\n", true],
    ["#!/usr/bin/env pypy3\n", true],
    ["#!/usr/bin/env -S uv run --script\n", true],
    ["#!/bin/sh\n'''exec' /opt/venv/bin/python3 \"$0\" \"$@\"\n' '''\n", true],
    ["#!/usr/bin/env something-else\n", true],
    ["#! is no line of a program\n", false],
    ["# coding: utf-8\n", true],
    ["", false],
  ])("is none in %j, Python by name: %s", (text, python) => {
    expect(contradiction(text, python)).toBeNull();
  });
});
