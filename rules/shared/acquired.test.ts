import { parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { acquiredCapabilities, unclassifiedPackages } from "./acquired.ts";
import { contextOf } from "./testing.ts";

/** `net requests: requests.get, …` with the sites' texts in order. */
function acquired(facts: ModuleFacts, source: string): string[] {
  return acquiredCapabilities(facts, contextOf())
    .filter(({ capability }) => capability === "net")
    .map(({ capability, root, sites }) => `${capability} ${root}: ${sites.map(({ span }) => source.slice(span[0], span[1])).join(" ")}`);
}

describe("where a capability is taken", () => {
  it("is the call that gives the handle, though a helper above it reads the handle first", () => {
    const source = `
async function parse(response: Response) { const text = await response.text(); return response.status === 200 ? text : null; }
export async function load() { return parse(await fetch("https://example.org/")); }
`;
    expect(acquired(parseEcmascript(source, { dialect: "typescript" }), source)).toEqual(["net fetch: fetch text"]);
  });

  it("is the import, then each call, and no attribute read off an answer", () => {
    const source = `
import requests
def parse(response):
    return response.text if response.status_code == 200 else None
def load(session=None):
    client = requests.Session()
    return parse(client.get("https://example.org/"))
`;
    expect(acquired(parsePython(source), source)).toEqual(["net requests: requests Session get"]);
  });

  it("is also where something is made to be thrown", () => {
    const script = "export function fail(url: string): never { throw new WebSocket(url); }\n";
    expect(acquired(parseEcmascript(script, { dialect: "typescript" }), script)).toEqual(["net WebSocket: WebSocket"]);
    const python = "import socket\ndef fail():\n    raise socket.create_connection(('example.org', 80))\n";
    expect(acquired(parsePython(python), python)).toEqual(["net socket: socket create_connection"]);
  });

  it("is not where an exception of the library is raised", () => {
    const python = "import httpx\ndef fail(request):\n    raise httpx.ConnectTimeout('late', request=request)\n";
    expect(acquired(parsePython(python), python)).toEqual([]);
  });
});

describe("a package that nobody knows", () => {
  const modules = { "orders.store": parsePython("") };
  it.each([
    ["is no folder of the tree whose modules are imported", "from orders import store\n", []],
    ["is one of which something else is imported", "from orders import store, ledger\n", ["orders"]],
    ["is one that is imported whole", "import orders\n", ["orders"]],
  ])("%s", (_, source, expected) => {
    expect(unclassifiedPackages(parsePython(source), contextOf({ modules })).map(({ root }) => root)).toEqual(expected);
  });
});
