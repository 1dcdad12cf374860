import type { ModuleFacts } from "@agentgate/parsers";
import makers from "../../data/models/makers.json" with { type: "json" };
import { onceFor } from "../indexes.ts";
import { holdsOneOf, writesWord } from "../names.ts";
import { isDocumentedToMove } from "./grammar.ts";
import type { ModelId } from "./ids.ts";

const CLIENTS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(makers.clients));
const holdsOtherHouse = holdsOneOf(makers.otherHouses);

const served = onceFor((facts) => ({
  packages: new Set(facts.imports.map(({ specifier }) => specifier)),
  mayBeElsewhere: writesWord(facts, holdsOtherHouse),
}));

/**
 * Whether the maker of a model documents that it moves the name, and the module that has the name uses the maker's own
 * client: another house (Azure, a gateway, a server of one's own) moves names by rules of its own.
 */
export function isMovedByMaker(facts: ModuleFacts, text: string, id: ModelId): boolean {
  if (id.provider === null || id.name !== text.trim().toLowerCase() || !isDocumentedToMove(id.name)) return false;
  const { packages, mayBeElsewhere } = served(facts);
  return !mayBeElsewhere && CLIENTS.get(id.provider)?.some((client) => packages.has(client)) === true;
}
