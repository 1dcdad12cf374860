import { describe, expect, it } from "vitest";
import { npmAlias, overriddenName } from "./aliases.ts";

describe("the package that a key of overrides is about", () => {
  it.each([
    ["left-pad", "left-pad"], ["left-pad@1", "left-pad"], ["app>left-pad", "left-pad"], ["app@1>left-pad@^2", "left-pad"], ["**/left-pad", "left-pad"], ["app/left-pad", "left-pad"],
    ["@scope/name", "@scope/name"], ["@scope/name@1", "@scope/name"], ["app>@scope/name@1", "@scope/name"], ["**/@scope/name", "@scope/name"], ["", ""], [">", ""], ["@", "@"],
  ])("of %j is %j", (key, name) => {
    expect(overriddenName(key)).toBe(name);
  });

  it("is looked up in every table of overrides, and as it is written in tables of dependencies", () => {
    expect(npmAlias({ pnpm: { overrides: { "app>left-pad@1": "npm:execa@9" } } }, "left-pad")).toBe("npm:execa");
    expect(npmAlias({ resolutions: { "**/left-pad": "file:./lib" } }, "left-pad")).toBe("./lib");
    expect(npmAlias({ dependencies: { "left-pad@1": "npm:execa@9" } }, "left-pad")).toBeNull();
    expect(npmAlias({ overrides: { __proto__: "npm:execa@9" } }, "left-pad")).toBeNull();
  });
});
