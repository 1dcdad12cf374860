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

  it("is the calls on an answer, and nothing that is done with its data", () => {
    const source = `
import requests
def load(url):
    response = requests.post(url)
    data = response.json()
    for item in data.get("items").values():
        print(item.get("name").strip(), data.get("next"))
    with requests.Session() as session:
        return session.get(url).json().get("items")
`;
    expect(acquired(parsePython(source), source)).toEqual(["net requests: requests post json Session get json"]);
    const script = 'import axios from "axios";\nexport const load = async (u: string) => (await axios.get(u)).data.items.map((x: string) => x.trim());\n';
    expect(acquired(parseEcmascript(script, { dialect: "typescript" }), script)).toEqual(['net axios: "axios" get']);
  });

  it.each([
    ["what a call of a client sends", "import httpx\ndef f(): return httpx.Client(base_url='x').get('y')\n", ["net httpx"]],
    ["what an opener opens", "import urllib.request\ndef f(u): return urllib.request.build_opener().open(u)\n", ["net urllib"]],
    ["what a session executes", "import sqlalchemy\ndef f(s): return sqlalchemy.create_engine(s).connect().execute('delete from t').fetchall()\n", ["db.write sqlalchemy", "db.read sqlalchemy"]],
    ["what a client made by a call puts", "import boto3\ndef f(): boto3.client('s3').put_object(Key='x')\n", ["cloud.write boto3"]],
    ["what an answer alone is read for", "import requests\nclass A:\n    r: requests.Response = requests.get('x')\n    def f(self): return self.r.json().get('a')\n", ["net requests"]],
  ])("never loses %s", (_, source, expected) => {
    expect(acquiredCapabilities(parsePython(source), contextOf()).map(({ capability, root }) => `${capability} ${root}`)).toEqual(expected);
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
