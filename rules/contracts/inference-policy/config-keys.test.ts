import { describe, expect, it } from "vitest";
import { isFallbackKey, keysIn } from "./config-keys.ts";

function fallbacks(text: string, path = "deploy/app.yaml"): string[] {
  return keysIn(text, path).filter(isFallbackKey).map(({ at, key, parent }) => `${parent === null ? "" : `${parent} > `}${key}@${at.line}:${at.column}`);
}

describe("keysIn", () => {
  it.each([
    ["fallbackBaseURL: x", "fallbackBaseURL@1:1"],
    ["'backup-host': x", "backup-host@1:2"],
    ["a: {fallback_url: x}", "a > fallback_url@1:5"],
    ["fallback:\n- url: x", "fallback > url@2:3"],
    ["urls:\n  fallback: x", "urls > fallback@2:3"],
    ["args: [--fallback-url=https://x]", "--fallback-url@1:8"],
  ])("sets one in %j", (text, expected) => {
    expect(fallbacks(text)).toEqual([expected]);
  });

  it.each([
    "see https://x.example/?fallback_url=1", "url: ${FALLBACK_URL:-x}", "if fallback_url == x", "image: backup-host:8080", "fallback: {a: {url: x}, b: y}\nurl: z", "a: {fallback: {b: 1}, url: x}", "backupurl: x", "secondary:\n  hostAliases: []\n  url_prefix: x", "it's # fallback_url: x",
  ])("sets none in %j", (text) => {
    expect(fallbacks(text)).toEqual([]);
  });

  it("reads blocks and sections of other formats", () => {
    expect(fallbacks("fallback {\n  endpoint = 1\n}\nendpoint = 2", "infra/main.tf")).toEqual(["fallback > endpoint@2:3"]);
    expect(fallbacks("[a.secondary]\nurl=1\n[b]\nurl=2", "deploy/app.ini")).toEqual(["a.secondary > url@2:1"]);
    expect(fallbacks("set $fallback_url https://x;", "deploy/nginx.conf")).toEqual(["fallback_url@1:6"]);
  });
});
