import { describe, expect, test } from "vitest";
import { noFallbackEndpoint } from "../../no-fallback-endpoint.ts";
import { noFreshIdempotencyKey } from "../../no-fresh-idempotency-key.ts";
import { noUnboundedLoop } from "../../no-unbounded-loop.ts";
import type { Rule } from "../../rule.ts";
import { contextOf } from "../testing.ts";
import { factsIn } from "./testing.ts";
import type { Language } from "./testing.ts";

/** Functions that call each other in a row, and what the last one does. */
function row(language: Language, length: number, last: string): string {
  return Array.from({ length }, (_, index) => {
    const next = index === length - 1 ? last : `f${String(index + 1)}(key)`;
    return language === "python" ? `def f${String(index)}(key=None): ${next}` : `function f${String(index)}(key?: unknown): void { ${next} }`;
  }).join("\n");
}

/** The last one starts a process. */
function chain(language: Language, length: number): string {
  return row(language, length, language === "python" ? "subprocess.run(key)" : "execSync(String(key));");
}

const HEAD = {
  python: "import httpx, subprocess, tenacity, uuid\n",
  typescript: 'import axios from "axios"; import pRetry from "p-retry"; import { execSync } from "node:child_process";\n',
};

/** Each reports what is near, and runs `step`, which begins the chain too. */
const REPORTED: readonly (readonly [technique: string, rule: Rule, python: string, typescript: string])[] = [
  ["a loop", noUnboundedLoop, "def run():\n    while True:\n        httpx.post(u)\n        f0()\n", "function run() { for (;;) { axios.post(u); f0(); } }"],
  ["recursion", noUnboundedLoop, "def run():\n    try:\n        httpx.post(u)\n        f0()\n    except Exception:\n        run()\n", "function run() { try { axios.post(u); f0(); } catch { run(); } }"],
  ["a helper", noUnboundedLoop, "@tenacity.retry\ndef run():\n    httpx.post(u)\n    f0()\n", "export const run = () => pRetry(() => { axios.post(u); f0(); }, { forever: true });"],
  ["a timer", noUnboundedLoop, "", "setInterval(() => { axios.post(u); f0(); }, 1000);"],
  ["another model", noFallbackEndpoint, "def ask(model):\n    httpx.post(u, json=model)\n    f0()\ndef run(first, second):\n    try:\n        return ask(model=first)\n    except Exception:\n        return ask(model=second)\n", "function ask(model: string) { axios.post(u, model); f0(); }\nfunction run(first: string, second: string) { try { return ask(first); } catch { return ask(second); } }"],
  ["a key", noFreshIdempotencyKey, "def pay(idempotency_key):\n    httpx.post(u, json=idempotency_key)\n    f0()\ndef run():\n    pay(idempotency_key=str(uuid.uuid4()))\n", "function pay(idempotencyKey: string) { axios.post(u, idempotencyKey); f0(); }\nfunction run() { pay(crypto.randomUUID()); }"],
];

const messages = (language: Language, rule: Rule, source: string, length: number): readonly string[] => rule.check(factsIn(language, `${HEAD[language]}${chain(language, length)}\n${source}`), contextOf()).map(({ message }) => message);

describe.each(["python", "typescript"] as const)("%s", (language) => {
  for (const [technique, rule, python, typescript] of REPORTED) {
    const source = language === "python" ? python : typescript;
    if (source === "") continue;
    test(`${technique} says that what it does was searched to a bound only`, () => {
      const [message = "", ...rest] = messages(language, rule, source, 300);
      expect(rest).toEqual([]);
      expect(message).toContain("stopped at its bound, so that it may do more than this.");
    });

    test(`${technique} says nothing of a chain of 200 calls`, () => {
      const [message = "", ...rest] = messages(language, rule, source, 200);
      expect(rest).toEqual([]);
      expect(message).not.toBe("");
      expect(message).not.toContain("stopped at its bound");
    });
  }

  test("an effect behind 200 calls is repeated", () => {
    const [loop] = [language === "python" ? "def run():\n    while True:\n        f0()\n" : "function run() { for (;;) { f0(); } }"];
    const found = noUnboundedLoop.check(factsIn(language, `${HEAD[language]}${chain(language, 200)}\n${loop}`), contextOf());
    expect(found).toHaveLength(1);
    expect(found[0]!.related.length).toBeLessThan(20);
    expect(found[0]!.related.some(({ message }) => /goes on over \d+ more calls/.test(message))).toBe(true);
  });

  test("a key that is made 200 calls below the attempts is made anew in each", () => {
    const body = Array.from({ length: 200 }, (_, index) => {
      const next = index === 199 ? (language === "python" ? 'httpx.post(u, headers={"Idempotency-Key": str(uuid.uuid4())})' : 'axios.post(u, {}, { headers: { "Idempotency-Key": crypto.randomUUID() } })') : `g${String(index + 1)}()`;
      return language === "python" ? `def g${String(index)}(): return ${next}` : `function g${String(index)}() { return ${next}; }`;
    }).join("\n");
    const attempts = language === "python" ? "def run():\n    while True:\n        try:\n            return g0()\n        except Exception:\n            pass\n" : "async function run() { for (;;) { try { return await g0(); } catch { } } }";
    const found = noFreshIdempotencyKey.check(factsIn(language, `${HEAD[language]}${body}\n${attempts}`), contextOf());
    expect(found.map(({ message }) => message.includes("in each attempt of the loop"))).toEqual([true]);
  });
});

/** The last one sends a write, or does nothing outside. */
function sendingChain(language: Language, length: number, isSent = true): string {
  const sends = language === "python" ? "httpx.post(u, json=key)" : "axios.post(u, key);";
  return row(language, length, isSent ? sends : language === "python" ? "print(key)" : "String(key);");
}

/** One function that calls so many others, of which the last one sends a write. */
function fanOut(language: Language, count: number): string {
  const python = language === "python";
  const functions = Array.from({ length: count }, (_, index) => {
    const body = index < count - 1 ? (python ? "print(1)" : "String(1);") : python ? "httpx.post(u)" : "axios.post(u);";
    return python ? `def g${String(index)}(): ${body}` : `function g${String(index)}(): void { ${body} }`;
  });
  const calls = Array.from({ length: count }, (_, index) => `g${String(index)}()`);
  return `${functions.join("\n")}\n${python ? `def f0():\n${calls.map((call) => `    ${call}`).join("\n")}` : `function f0(): void { ${calls.join("; ")} }`}`;
}

/** Each runs `f0` where its rule asks what that does, and does nothing else. */
const HIDDEN: readonly (readonly [technique: string, rule: Rule, python: string, typescript: string])[] = [
  ["a loop", noUnboundedLoop, "def run():\n    while True:\n        f0()\n", "function run() { for (;;) { f0(); } }"],
  ["recursion", noUnboundedLoop, "def run():\n    try:\n        f0()\n    except Exception:\n        run()\n", "function run() { try { f0(); } catch { run(); } }"],
  ["a helper", noUnboundedLoop, "@tenacity.retry\ndef run():\n    f0()\n", "export const run = () => pRetry(() => f0(), { forever: true });"],
  ["a timer", noUnboundedLoop, "", "setInterval(() => { f0(); }, 1000);"],
  ["another model", noFallbackEndpoint, "def ask(model):\n    f0(model)\ndef run(first, second):\n    try:\n        return ask(model=first)\n    except Exception:\n        return ask(model=second)\n", "function ask(model: string) { f0(model); }\nfunction run(first: string, second: string) { try { return ask(first); } catch { return ask(second); } }"],
  ["a key", noFreshIdempotencyKey, "def give(idempotency_key):\n    f0(idempotency_key)\ndef run():\n    give(idempotency_key=str(uuid.uuid4()))\n", "function give(idempotencyKey: string) { f0(idempotencyKey); }\nfunction run() { give(crypto.randomUUID()); }"],
];

describe.each(["python", "typescript"] as const)("what a bound hides, %s", (language) => {
  const found = (rule: Rule, functions: string, source: string): readonly string[] => rule.check(factsIn(language, `${HEAD[language]}${functions}\n${source}`), contextOf())
    .map(({ unfinished, message }) => (unfinished === true ? `unfinished: ${message}` : "found"));

  for (const [technique, rule, python, typescript] of HIDDEN) {
    const source = language === "python" ? python : typescript;
    if (source === "") continue;
    test(`${technique} is found over 200 calls, and over 300 it is said that the search ended`, () => {
      expect(found(rule, sendingChain(language, 200), source)).toEqual(["found"]);
      const [only, ...others] = found(rule, sendingChain(language, 300), source);
      expect(others).toEqual([]);
      expect(only).toMatch(/^unfinished: What \w+ runs was not followed to its end: it goes on over more than 256 calls or 2,000 functions, and behind them it can reach the network\. Whether no-[a-z-]+ would report this place is not known\. /);
    });

    test(`${technique} is silent where 300 calls lead to nothing`, () => {
      expect(found(rule, sendingChain(language, 300, false), source)).toEqual([]);
    });

    if (technique !== "another model" && technique !== "a key") test(`${technique} is found over a fan of 300 calls, and over 2,500 it is said`, () => {
      expect(found(rule, fanOut(language, 300), source)).toEqual(["found"]);
      expect(found(rule, fanOut(language, 2500), source)).toEqual([expect.stringMatching(/^unfinished: /)]);
    });
  }

  test("the one of 300 callers that tries again is found", () => {
    const callers = Array.from({ length: 300 }, (_, index) => {
      const isRetried = index === 250;
      if (language === "python") return `def c${String(index)}():\n    ${isRetried ? "while True:\n        try:\n            return ask()\n        except Exception:\n            pass" : "ask()"}`;
      return `async function c${String(index)}() { ${isRetried ? "for (;;) { try { return await ask(); } catch { } }" : "await ask();"} }`;
    }).join("\n");
    const ask = language === "python" ? 'def ask():\n    return httpx.post(u, headers={"Idempotency-Key": str(uuid.uuid4())})\n' : 'async function ask() { return axios.post(u, {}, { headers: { "Idempotency-Key": crypto.randomUUID() } }); }\n';
    const messages = noFreshIdempotencyKey.check(factsIn(language, `${HEAD[language]}${ask}${callers}`), contextOf()).map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining("in each attempt of the loop")]);
  });

  test("nothing is said where no verdict depends on it", () => {
    const source = language === "python"
      ? "def once():\n    f0()\ndef few():\n    for n in range(3):\n        f0()\ndef each(items):\n    for item in items:\n        f0(item)\n"
      : "function once() { f0(); }\nfunction few() { for (let n = 0; n < 3; n++) f0(); }\nfunction each(items: string[]) { for (const item of items) f0(item); }";
    for (const rule of [noUnboundedLoop, noFallbackEndpoint, noFreshIdempotencyKey]) expect(found(rule, sendingChain(language, 300), source)).toEqual([]);
  });
});
