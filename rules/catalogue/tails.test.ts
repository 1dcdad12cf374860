import { expect, test } from "vitest";
import { distinctiveTail, sendsMutatingVerb } from "./tails.ts";
import { call, ecmascript, python } from "./testing.ts";

test("the end of a call path tells by itself", () => {
  expect(distinctiveTail(["client", "chat", "completions", "create"])).toBe("model");
  expect(distinctiveTail(["messages", "create"])).toBe("model");
  expect(distinctiveTail(["responses", "create"])).toBe("model");
  expect(distinctiveTail(["session", "call_tool"])).toBe("tool");
  expect(distinctiveTail(["client", "callTool"])).toBe("tool");
  expect(distinctiveTail(["ToolBus", "call"])).toBe("tool");
  expect(distinctiveTail(["create"])).toBeNull();
  expect(distinctiveTail(["user", "create"])).toBeNull();
  expect(distinctiveTail([])).toBeNull();
});

test("tools of agentgate.yml are tails too", () => {
  expect(distinctiveTail(["bus", "perform"], ["perform"])).toBe("tool");
  expect(distinctiveTail(["bus", "perform"], ["other.perform"])).toBeNull();
});

test("names of the prototype are no tails", () => {
  expect(distinctiveTail(["constructor"])).toBeNull();
  expect(distinctiveTail(["x", "__proto__"])).toBeNull();
});

test("a verb is mutating by the method's name or among the arguments", () => {
  expect(sendsMutatingVerb(python("httpx.post"))).toBe(true);
  expect(sendsMutatingVerb(python("requests.get"))).toBe(false);
  expect(sendsMutatingVerb(python("requests.request"), call(["DELETE", "u"]))).toBe(true);
  expect(sendsMutatingVerb(python("requests.request"), call(["get", "u"]))).toBe(false);
  expect(sendsMutatingVerb(python("requests.request"), call([null]))).toBe(true);
  expect(sendsMutatingVerb({ module: "globalThis", path: ["fetch"] }, call(["u"], { method: "POST" }))).toBe(true);
  expect(sendsMutatingVerb({ module: "globalThis", path: ["fetch"] }, call(["u"], { method: null }))).toBe(true);
  expect(sendsMutatingVerb({ module: "globalThis", path: ["fetch"] }, call(["u"]))).toBeNull();
  expect(sendsMutatingVerb(ecmascript("axios.default.delete"))).toBe(true);
});
