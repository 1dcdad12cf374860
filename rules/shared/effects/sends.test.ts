import { expect, test } from "vitest";
import { effectsIn } from "./testing.ts";
import type { Language } from "./testing.ts";

const sends = (language: Language, source: string): readonly (string | undefined)[] => effectsIn(language, source).effects.own.map((effect) => effect.sends ?? (effect.writes ? "" : "read"));

const PYTHON = "import requests, httpx\nfrom urllib.request import urlopen\n";

test.each([
  ["requests.post(u)", "post"],
  ['requests.request("POST", u)', "post"],
  ["urlopen(u, data=d)", "post"],
  ["requests.put(u)", "change"],
  ['httpx.request(method="DELETE", url=u)', "change"],
  ['requests.delete("https://x.io/search")', "change"],
  ['requests.request("DELETE", "https://x.io/search")', "change"],
  ["requests.request(method, u)", "any"],
  ['def _go(method):\n    requests.request(method, u)\n_go("POST")\n_go("PUT")', "any"],
  ['requests.post("https://x.io/search")', "read"],
] as const)("python: %s", (source, expected) => {
  expect(sends("python", PYTHON + source)).toEqual([expected]);
});

const TYPESCRIPT = 'import axios from "axios"; import fetch from "node-fetch";\n';

test.each([
  ["axios.post(u);", "post"],
  ['fetch(u, { method: "POST" });', "post"],
  ["navigator.sendBeacon(u);", "post"],
  ["axios.patch(u);", "change"],
  ['axios({ method: "DELETE", url: u });', "change"],
  ['fetch("https://x.io/list", { method: "DELETE" });', "change"],
  ["fetch(u, { method });", "any"],
  ['fetch("https://x.io/v1/list", { method: "POST" });', "read"],
  ['axios({ method: "POST", url: "https://x.io/v1/search" });', "read"],
  ['fetch("https://x.io/graphql", { method: "POST", body: JSON.stringify({ query: "query A { a }" }) });', "read"],
] as const)("typescript: %s", (source, expected) => {
  expect(sends("typescript", TYPESCRIPT + source)).toEqual([expected]);
});
