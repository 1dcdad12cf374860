import { expect, test } from "vitest";
import { noUnboundedLoop } from "../../no-unbounded-loop.ts";
import { factsIn } from "../effects/testing.ts";
import { contextOf } from "../testing.ts";

const told = (language: "python" | "typescript", source: string): string => noUnboundedLoop.check(factsIn(language, source), contextOf()).map(({ message }) => message).join("\n");

const POLL = (before: string, test: string): string => `import time, requests
def wait(id, timeout=None):
    start = time.time()
${before}
    while True:
        if requests.get(f"https://x.io/{id}").json()["done"]:
            return
        ${test}:
            raise TimeoutError()
        time.sleep(1)`;

test.each([
  ["in the comparison", POLL("    pass", "if timeout and time.time() > start + timeout")],
  ["behind a name", POLL("    end = None\n    if timeout is not None:\n        end = start + timeout", "if end is not None and time.time() > end")],
])("what is off is named as somebody would set it, %s", (_, source) => {
  const message = told("python", source);
  expect(message).toContain("its bound timeout is off unless somebody sets it");
  expect(message).toContain("Give timeout a finite default.");
});

test("a number that is too large is to be lowered, and is named as what it is", () => {
  const python = `import httpx
def run():
    tries = 0
    while tries < 300:
        tries += 1
        if httpx.post("https://x.io").json()["ok"]:
            return`;
  const typescript = `export async function run(most = 300) {
  for (let tries = 0; tries < most; tries++) if ((await fetch("https://x.io", { method: "POST" })).ok) return;
}`;
  expect(told("python", python)).toContain("its bound 300 is above the ceiling for attempts. Before that nothing ends it but the answer. Lower it, or set loops.ceiling");
  expect(told("typescript", typescript)).toContain("its bound most is above the ceiling for attempts. Before that nothing ends it but the answer. Lower it, or set loops.ceiling");
});

const ASKED = "A cursor that comes back twice keeps it going.";
const STATE = (more: string): string => `async function run(first) {
  let answer = first;
  while (true) {
    answer = await (await fetch("https://x.io/" + answer.${more})).json();
    if (answer.done) return answer;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}`;

test("the id of what is asked for again is no cursor", () => {
  expect(told("typescript", STATE("next"))).toContain(ASKED);
  expect(told("typescript", STATE("last_id"))).toContain(ASKED);
  expect(told("typescript", STATE("media_id_string"))).toContain("Nothing ends it but the answer.");
});

test("an id that was read before the loop is no cursor", () => {
  const source = `import time, requests
def run(job):
    number = job["number"]
    while True:
        job = requests.get("https://x.io/jobs", params={"number": number}).json()
        if job["done"]:
            return
        time.sleep(1)`;
  expect(told("python", source)).toContain("Nothing ends it but the answer.");
});

const REFRESHED = `import requests
def send(body, token):
    while True:
        try:
            answer = requests.post("https://x.io", json=body, headers={"Authorization": token()})
            answer.raise_for_status()
            return answer
        except requests.HTTPError as error:
            ASKED`;

test("what an error that is looked at says was carried out is left open", () => {
  const [looked, swallowed] = ["if error.response.status_code != 401:\n                raise", "print(error)"].map((asked) => told("python", REFRESHED.replace("ASKED", asked)));
  expect(looked).toContain("swallows the error and goes on. Count");
  expect(swallowed).toContain("so what had been carried out before the error is done twice");
});

const REMOTE = (method: string): string => `export async function wait(id: string) {
  for (;;) {
    const answer = await fetch("https://x.io", { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", method: "${method}", params: { id } }) });
    if ((await answer.json()).result.done) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}`;

test("a remote call of a method that reads is a read", () => {
  const severities = ["tasks/get", "tasks/send"].map((method) => noUnboundedLoop.check(factsIn("typescript", REMOTE(method)), contextOf()).map(({ severity }) => severity));
  expect(severities).toEqual([["warning"], ["error"]]);
});
