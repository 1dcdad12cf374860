import { type ContractContext, type ContractSystem, type Diagnostic, type DocumentShape, type GenericRule, type Pin, type RuleText, keyPathOf } from "./contract.ts";
import { documentAt } from "./evidence.ts";
import type { Fields, Valid } from "./fields.ts";
import { unlocked } from "./pins.ts";

/** A document's table, with its keys' types kept. */
export function documentShape<F extends Fields>(shape: DocumentShape<F>): DocumentShape<F> {
  return shape;
}

/** A key of the table, or one below it. */
type KeyPath<F> = (string & keyof F) | `${string & keyof F}${"." | "[]"}${string}`;

interface Definition<R extends string, F extends Fields> extends Pick<ContractSystem, "id" | "purpose" | "place"> {
  readonly alsoRead?: readonly string[];
  readonly rules: Readonly<Record<R, RuleText>>;
  readonly manifest: DocumentShape<F>;
  /** Further kinds of file with a table of their own. */
  readonly documents?: readonly DocumentShape[];
  /**
   * What goes beyond the table: pure, over the valid part of the manifest and what the context answers. A value that was
   * reported is absent here; `isReported` tells it from one that was left out. It takes a path of keys: `gates[].id`.
   */
  readonly check: (manifest: Valid<F>, context: ContractContext, isReported: (key: KeyPath<F>) => boolean) => readonly Diagnostic<NoInfer<R> | GenericRule>[];
  /** The digests of the manifest with what belongs there. Of the manifest, digests of any form are handed on. */
  readonly pins?: (manifest: Valid<F>, context: ContractContext) => readonly Pin[];
}

/** A contract that is one file with a table, and what it names. */
export function contract<R extends string, F extends Fields>({ alsoRead = [], check, documents = [], manifest, pins, ...rest }: Definition<R, F>): ContractSystem {
  return {
    ...rest, alsoRead, documents: [manifest, ...documents],
    ...(pins === undefined ? {} : { pins: (context: ContractContext) => pins(documentAt(context, unlocked(manifest), context.path).value ?? {}, context) }),
    check: (context) => {
      const { found, value } = documentAt(context, manifest, context.path);
      if (value === null) return found;
      const reported = new Set(found.map((one) => keyPathOf(one)));
      return [...found, ...check(value, context, (key) => reported.has(key))];
    },
  };
}
