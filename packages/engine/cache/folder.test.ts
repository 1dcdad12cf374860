import { expect, it } from "vitest";
import { defaultCacheFolder } from "./folder.ts";

it.each([
  ["linux", { HOME: "/home/u" }, "/home/u/.cache/agentgate"],
  ["linux", { HOME: "/home/u", XDG_CACHE_HOME: "/var/c" }, "/var/c/agentgate"],
  ["linux", { HOME: "/home/u", XDG_CACHE_HOME: "relative" }, "/home/u/.cache/agentgate"],
  ["linux", { HOME: "/home/u", XDG_CACHE_HOME: "" }, "/home/u/.cache/agentgate"],
  ["darwin", { HOME: "/Users/u" }, "/Users/u/Library/Caches/agentgate"],
  ["win32", { USERPROFILE: "C:\\Users\\u", LOCALAPPDATA: "D:\\Local" }, "D:\\Local\\agentgate\\Cache"],
  ["win32", { USERPROFILE: "C:\\Users\\u" }, "C:\\Users\\u\\AppData\\Local\\agentgate\\Cache"],
  ["linux", { HOME: "/home/u", AGENTGATE_CACHE_DIR: "/own" }, "/own"],
  ["win32", { LOCALAPPDATA: "D:\\Local", AGENTGATE_CACHE_DIR: "E:\\own" }, "E:\\own"],
  ["linux", { HOME: "/home/u", AGENTGATE_CACHE_DIR: "own" }, "/home/u/.cache/agentgate"],
] as const)("on %s with %o the cache is in %s", (platform, env, folder) => {
  expect(defaultCacheFolder(env, platform)).toBe(folder);
});
