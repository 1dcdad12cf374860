import { describe, expect, it } from "vitest";
import { PermitError, addPort } from "./permit-edit.ts";
import type { NewPort } from "./permit-yaml.ts";
import { readPolicy } from "./policy.ts";

const PORT: NewPort = { path: "src/refund.py", capabilities: ["net"], owner: "payments", note: "talks to the ledger", expires: null };
const LINES = ["  - path: src/refund.py", "    capabilities: [net]", "    owner: payments", "    note: talks to the ledger"];

const add = (text: string | null, changes: Partial<NewPort> = {}) => addPort(text, { ...PORT, ...changes });

/** The lines that an edit adds; fails where it changes or drops any. */
function added(text: string, changes: Partial<NewPort> = {}): string[] {
  const after = add(text, changes).text;
  const [old, now] = [text.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  expect(old.slice(start, old.length - end), "lines that are gone").toEqual([]);
  const lines = now.slice(start, now.length - end);
  // Which of two blank lines is the new one cannot be told.
  return lines.at(-1) === "" ? ["", ...lines.slice(0, -1)] : lines;
}

function ports(text: string): unknown[] {
  const read = readPolicy(text);
  if ("failure" in read) throw new Error(read.failure);
  return read.policy.ports.map(({ path, capabilities, owner, note, expires }) => ({ path, capabilities, owner, note, expires: expires?.text ?? null }));
}

const OTHER = "  - path: a.py\n    capabilities: [fs]\n    owner: x\n    note: why it is so\n";

describe("a port added to a policy", () => {
  it("begins a file where there is none", () => {
    const { text, kind, port } = add(null, { expires: "2027-01-31" });
    expect(text).toBe(`# What this code may do, and who licensed it. Read by agentgate.\nversion: 1\n\nports:\n${LINES.join("\n")}\n    expires: 2027-01-31\n`);
    expect([kind, port.line]).toEqual(["added", 5]);
  });

  it.each([
    ["no list yet", "version: 1\nrules:\n  config: off\n", ["", "ports:", ...LINES]],
    ["a blank line at the end already", "version: 1\n# bye\n\n", ["", "ports:", ...LINES]],
    ["a list", `version: 1\nports:\n${OTHER}rules: {}\n`, LINES],
    ["comments in and after the list", `version: 1 # one\nports: # p\n  # first\n${OTHER}  # - path: proposed.py\n  # last\n\n# rules\nrules: {}\n`, LINES],
    ["a comment behind the last value", `ports:\n  - path: a.py\n    capabilities: [fs]\n    owner: x\n    note: why it is so # really\nversion: 1\n`, LINES],
    ["dashes below the key", `version: 1\nports:\n- path: a.py\n  capabilities: [fs]\n  owner: x\n  note: why it is so\nexclude: []\n`, LINES.map((line) => line.slice(2))],
    ["wide indentation", `version: 1\nports:\n      -   path: a.py\n          capabilities: [fs]\n          owner: x\n          note: why it is so\n`, ["      -   path: src/refund.py", ...LINES.slice(1).map((line) => `      ${line}`)]],
    ["blank lines between", `version: 1\nports:\n${OTHER}\n${OTHER.replace("a.py", "b.py")}\n\nrules: {}\n`, ["", ...LINES]],
    ["a block scalar at the end", `version: 1\nports:\n  - path: a.py\n    capabilities: [fs]\n    owner: x\n    note: |\n      why\n\n      it is\n\nrules: {}\n`, LINES],
    ["a nested block list at the end", `version: 1\nports:\n  - path: a.py\n    owner: x\n    note: why it is so\n    capabilities:\n      - fs\n`, LINES],
    ["ports in braces", "version: 1\nports:\n  - { path: a.py, capabilities: [fs], owner: x, note: why it is so }\n", LINES],
    ["a key with nothing", "version: 1\nports: # none yet\n  # but here\nrules: {}\n", LINES],
    ["a key with nothing at the very end", "version: 1\nports:\n", LINES],
    ["a document marker", "---\nversion: 1\n...\n", ["", "ports:", ...LINES]],
    ["a comment alone", "# nothing yet\n", ["version: 1", "ports:", ...LINES]],
    ["nothing", "", ["version: 1", "ports:", ...LINES]],
    ["odd layout elsewhere", `version:   1\nexclude: [ "a/**" ,'b/**' ]\nrules:\n    no-dynamic-import:   [ warning ]\nports:\n${OTHER}`, LINES],
    ["a quoted key", `"version": 1\n"ports":\n${OTHER}`, LINES],
    ["anchors elsewhere", `version: 1\nexclude: &globs [a/**]\nextendExclude: *globs\nports:\n${OTHER}`, LINES],
    ["a text that is kept with its blank lines", "version: 1\nports: []\nmodels:\n  allow:\n    - |+\n      x\n\n\n".replace("ports: []\n", ""), ["ports:", ...LINES]],
    ["an item that is nothing", "version: 1\nports:\n  -\n", LINES],
    ["a trailing tab", `version: 1\t\nports:\t\n${OTHER}`, LINES],
  ])("to %s only adds lines", (_what, text, expected) => {
    expect(added(text)).toEqual(expected);
    expect(ports(add(text).text).at(-1)).toEqual(PORT);
  });

  it.each(["version: 1\nports: []\nrules: {}\n", "version: 1\nports: [ ] # none\n", "version: 1\nports: ~\n", "version: 1\nports: null # none\nrules: {}\n", "version: 1\nports: [\n  ]\n"])("takes the place of an empty list: %j", (text) => {
    const after = add(text).text;
    expect(ports(after)).toEqual([PORT]);
    expect(after).toContain(`\n${LINES.join("\n")}\n`);
    for (const kept of ["# none", "rules: {}"]) expect(after.includes(kept)).toBe(text.includes(kept));
    expect(after).not.toMatch(/[ \t]\n/);
  });

  it.each([
    ["ports: [{ path: a.py, capabilities: [fs], owner: x, note: why it is so }]\nversion: 1\n", 1],
    ["version: 1\nports: [\n  { path: a.py, capabilities: [fs], owner: x, note: why it is so }, # one\n]\n", 1],
    ["version: 1\nports: [\n  # none yet\n]\n", 0],
    ["{ version: 1 }\n", 0], ["{version: 1, ports: []}", 0], ['{\n  "version": 1,\n  "ports": [\n    {"path": "a.py", "capabilities": ["fs"], "owner": "x", "note": "why it is so"}\n  ]\n}\n', 1],
  ])("fits between brackets: %j", (text, before) => {
    const after = add(text, { path: "a [b], c/**", note: "why: because, #1" }).text;
    expect(ports(after)).toHaveLength(before + 1);
    expect(ports(after).at(-1)).toEqual({ ...PORT, path: "a [b], c/**", note: "why: because, #1" });
    if (text.includes('"version"')) expect(() => JSON.parse(after) as unknown).not.toThrow();
  });

  it.each([["\r\n", `version: 1\r\nports:\r\n${OTHER.replaceAll("\n", "\r\n")}`], ["\n", `version: 1\nports:\n${OTHER}`]])("keeps line endings %j, a byte order mark, and a last line without one", (eol, text) => {
    const expected = `\uFEFF${text}${LINES.map((line) => line + eol).join("")}`;
    expect(add(`\uFEFF${text}`).text).toBe(expected);
    expect(add(`\uFEFF${text.trimEnd()}`).text).toBe(expected);
  });

  it.each([
    "talks to: the ledger", "- a", "yes", "True", "1.5", "'quoted'", 'a "b" c', "ends with colon:", "@team/payments", "*alias", "&anchor", "%x", "`x`", "é ü 💸", "a\u202eb", "~", "2027-01-31", "it's", "x  y", "trailing,",
  ])("says %j as it is", (note) => {
    expect(ports(add("version: 1\n", { note: `# ${note} \\` }).text)).toEqual([{ ...PORT, note: `# ${note} \\` }]);
    // What has no letter names nobody.
    const owner = /\p{L}/u.test(note) ? note : PORT.owner;
    const { text } = add("version: 1\n", { note, owner, path: note });
    expect(ports(text)).toEqual([{ ...PORT, note, owner, path: note }]);
    expect(text).not.toContain("\u202e");
  });
});

describe("a port that is there already", () => {
  const policy = (capabilities: string, more = "") => `version: 1\nports:\n  - path: src/refund.py # it\n    capabilities: ${capabilities}\n    owner: payments\n    note: talks to the ledger\n${more}rules: {}\n`;

  it.each([
    ["[net]", "[net, fs.write]"], ["[ net ] # c", "[ net, fs.write ] # c"], ['["net"]', '["net", "fs.write"]'], ["[net,]", "[net, fs.write,]"],
    ["\n      - net # c\n      # more", "\n      - net # c\n      - fs.write\n      # more"], ["\n    - net", "\n    - net\n    - fs.write"],
  ])("gets the capability: %j", (before, after) => {
    const edit = add(policy(before), { capabilities: ["net", "fs.write"] });
    expect(edit).toMatchObject({ kind: "extended", text: policy(after), port: { line: 3, capabilities: ["net", "fs.write"] } });
  });

  it("stays as it is where it licenses everything that is asked for", () => {
    const text = policy("[fs, net]");
    for (const changes of [{}, { owner: "others", note: "another reason" }, { expires: "2027-01-31" }]) {
      expect(add(text, { capabilities: ["net", "fs.write"], ...changes })).toMatchObject({ kind: "unchanged", text, port: { line: 3, owner: "payments" } });
    }
    const expiring = policy("[net]", "    expires: 2027-01-31\n");
    expect(add(expiring, { expires: "2027-01-31", note: "another" }).kind).toBe("unchanged");
    for (const expires of [null, "2028-01-31"]) expect(add(expiring, { expires }).kind).toBe("added");
  });

  it.each([{ owner: "others" }, { note: "another reason" }, { expires: "2027-01-31" }, { path: "src/*.py" }])("is left alone where it is not the same: %j", (changes) => {
    const edit = add(policy("[net]"), { capabilities: ["fs.write"], ...changes });
    expect(edit.kind).toBe("added");
    expect(ports(edit.text)).toHaveLength(2);
  });

  it("gets a second one beside it where its capabilities are an alias", () => {
    const edit = add("version: 1\nports:\n  - path: a.py\n    capabilities: &c [net]\n    owner: x\n    note: why it is so\n  - path: src/refund.py\n    capabilities: *c\n    owner: payments\n    note: talks to the ledger\n", { capabilities: ["proc"] });
    expect(edit.kind).toBe("added");
    expect(ports(edit.text)).toHaveLength(3);
  });
});

describe("a policy that cannot be edited is left alone", () => {
  it.each([
    ["two documents", "version: 1\n---\nversion: 1\n", "more than one document"], ["no YAML", "version: [\n", "no YAML"], ["another version", "version: 2\n", "version"],
    ["no mapping", "- a\n", "no mapping"], ["ports that are text", "version: 1\nports: all\n", "no list"], ["ports that are a mapping", "version: 1\nports: {}\n", "no list"],
    ["ports by an alias", "version: 1\nextendExclude: &a []\nports: *a\n", "no list"], ["a list that something else refers to", `version: 1\nports: &p\n${OTHER}rules: *p\n`, "without changing"],
    ["ports by a merge key", "version: 1\nrules: &r\n  ports:\n    - path: a.py\n<<: *r\n", "without changing"],
  ])("%s", (_what, text, why) => {
    expect(() => add(text)).toThrow(PermitError);
    expect(() => add(text)).toThrow(why);
  });

  it("a list whose anchor is used elsewhere keeps its meaning there", () => {
    const text = `version: 1\nports:\n  - &one\n    path: a.py\n    capabilities: [fs]\n    owner: x\n    note: why it is so\n  - *one\n`;
    expect(ports(add(text).text)).toHaveLength(3);
  });
});
