import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import listed from "../../data/deny-hosts.json" with { type: "json" };
import { wordsOf } from "../keys/names.ts";
import { holdersOf, isOwnServer, isOwnServerSetting, ownersOf } from "./owners.ts";
import { optionsOf } from "./options.ts";
import { isAtPlatform } from "./platform.ts";
import { lastName } from "./talks.ts";

const { servers, stores, tools, ports, sockets, vendored } = listed.beside;
const WORDS = new Set([servers, stores, tools].flatMap(({ words }) => words));
const PORTS = new Set(ports.numbers);
const VENDORED = new Set(vendored.words);

/** An address of this machine that code names, and where. */
export interface LocalAddress {
  readonly value: ValueId;
  readonly call: CallId;
  readonly setting: string | null;
}

/**
 * Whether what an address of this machine reaches has its place beside the program: the platform's endpoints, a browser, an
 * agent, a server that its user starts there, the package's own server. The port, the setting or any name around the address
 * says so.
 */
export function isBesideProgram(facts: ModuleFacts, path: string, address: LocalAddress): boolean {
  const { value, call, setting } = address;
  if (path.split("/").some((part) => VENDORED.has(part.toLowerCase()))) return true;
  if (isAtPlatform(facts, value, call) || isOwnServer(facts, path, call)) return true;
  if (isOverSocket(facts, value)) return true;
  if (setting !== null && isOwnServerSetting(setting, path)) return true;
  const text = facts.values[value];
  const written = text?.kind === "string" ? text.value : "";
  const port = /:(\d+)(?:\/|$)/.exec(written)?.[1];
  return (port !== undefined && PORTS.has(Number(port))) || namesAround(facts, path, address).some(namesServerBeside);
}

function namesAround(facts: ModuleFacts, path: string, { value, call, setting }: LocalAddress): readonly string[] {
  const text = facts.values[value];
  const written = text?.kind === "string" ? text.value : "";
  const entry = facts.calls[call];
  const apis = entry?.references.flatMap((reference) => [reference.module, ...reference.path]) ?? [];
  return [...path.split("/"), ...(setting === null ? [] : [setting]), written, ...apis, ...(entry === undefined ? [] : ownersOf(facts, entry.function)), ...holdersOf(facts, value)];
}

const SOCKET_CALLS = new Set(sockets.calls);
const SOCKET_OPTIONS = new Set(sockets.options);

/** Whether the function around an address reaches it through a socket file or in the same process: its host says nothing. */
function isOverSocket(facts: ModuleFacts, address: ValueId): boolean {
  const [start, end] = facts.values[address]!.span;
  return facts.calls.some((call) => {
    const { span } = facts.functions[call.function]!;
    if (call.function === 0 || start < span[0] || span[1] < end) return false;
    return SOCKET_CALLS.has(lastName(facts, call.callee)) || optionsOf(facts, call).some(({ name }) => SOCKET_OPTIONS.has(name));
  });
}

/** `OLLAMA_HOST`, `LMStudioClient`, `llama_cpp`: also where a name's words are one word of the list. */
function namesServerBeside(name: string): boolean {
  const words = wordsOf(name).map((word) => word.replace(/\d+$/, ""));
  return words.some((word, index) => WORDS.has(word) || (index > 0 && (WORDS.has(words[index - 1]! + word) || WORDS.has(`${words[index - 1]!} ${word}`))));
}
