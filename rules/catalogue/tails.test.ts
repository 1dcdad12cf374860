import { describe, expect, it, test } from "vitest";
import { CAPABILITIES } from "./capability.ts";
import { namesIn } from "./format.ts";
import { TAIL_GROUPS, distinctiveTail, sendsMutatingVerb } from "./tails.ts";
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

/** Call paths on handles that nothing resolves, as code of each provider's client has them. */
const MODEL_CALLS = [
  "self.client.chat.completions.create", "client.beta.chat.completions.parse", "this.openai.responses.create", "client.responses.with_raw_response.create",
  "client.embeddings.create", "client.images.generate", "client.audio.speech.with_streaming_response.create", "openai.ChatCompletion.create", "api.createChatCompletion",
  "anthropic.messages.stream", "client.beta.messages.toolRunner", "genai.models.generateContent", "model.generate_content", "client.aio.models.generate_content_stream",
  "mistral.chat.complete", "client.fim.complete_async", "co.rerank", "client.v2.chat", "chat.sample", "replicate.run", "ollama.chat", "bedrock.invoke_model",
  "bedrock_runtime.converse", "client.converse_stream", "hf.textGeneration", "client.chat_completion", "router.acompletion", "litellm.completion",
  "self.llm.ainvoke", "structured_llm.invoke", "llm.with_structured_output.invoke", "ai.generateText", "client.chat.completions.create_with_completion",
];
/** Look-alikes: the same words on other things. */
const OTHERS = [
  "user.create", "client.create", "chat.create", "prisma.message.create", "ipcRenderer.invoke", "graph.invoke", "app.run", "session.stream", "model.save",
  "model.predict", "embed", "completion", "rerank", "messages.list", "messages.append", "responses.add", "images.push", "completions.list", "chat.send", "bot.send_message",
  "client.run", "page.generate", "router.push", "converse", "transcriptions.list", "agents.list", "predictions.create",
];

describe("providers' call paths", () => {
  it.each(MODEL_CALLS)("%s asks a model", (path) => expect(distinctiveTail(path.split("."))).toBe("model"));
  it.each(OTHERS)("%s tells nothing", (path) => expect(distinctiveTail(path.split("."))).toBeNull());
  it.each(["session.call_tool", "client.callTool", "tool.on_invoke_tool", "tools.call", "composio.tools.execute"])("%s runs a tool", (path) => {
    expect(distinctiveTail(path.split("."))).toBe("tool");
  });
});

test("every group of tails has a source and a capability, and no tail stands twice or is longer than it is looked up", () => {
  const all = TAIL_GROUPS.flatMap((group) => namesIn(group.tails));
  expect(TAIL_GROUPS.filter((group) => !/\w/.test(group.source) || !(CAPABILITIES as readonly string[]).includes(group.capability))).toEqual([]);
  expect(all.filter((tail, index) => all.indexOf(tail) !== index || tail.split(".").length > 5 || !/^\w+(?:\.\w+)*$/.test(tail))).toEqual([]);
});
