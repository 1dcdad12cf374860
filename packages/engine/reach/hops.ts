import type { Related } from "@agentgate/rules";
import type { Hop, ReachNode } from "@agentgate/rules/reach";
import type { TreePath } from "../paths.ts";
import type { SideGraph } from "./side.ts";

/** A way through the graph for people: each place where one function goes on to the next, the last with the API. */
export function hopsOf(side: SideGraph, way: readonly Hop[]): { readonly api: string; readonly related: readonly (Related & { readonly path: TreePath })[] } {
  const related: (Related & { readonly path: TreePath })[] = [];
  let api = "";
  way.forEach((hop) => {
    const node = side.graph.nodes[hop.node]!;
    const span = "api" in hop ? hop.api.span : hop.link.span;
    if ("api" in hop) {
      api = hop.api.api;
      related.push({ path: node.path, span, message: `${nameOf(side, node)} uses ${api}` });
      return;
    }
    const next = side.graph.nodes[hop.link.to]!;
    // A class and its constructor, a function and what it gives, are one step to a reader.
    const isSame = next.path === node.path && nameOf(side, next) === nameOf(side, node);
    if (node.kind === "function" && !isSame) related.push({ path: node.path, span, message: `${nameOf(side, node)} ${nextTo(side, node, next)}` });
  });
  return { api, related };
}

/** `runs post of http.py`, `imports boot.py`. */
function nextTo(side: SideGraph, node: ReachNode, next: ReachNode): string {
  if (next.kind === "function" && next.id === 0) return `imports ${next.path}`;
  return `runs ${nameOf(side, next)}${next.path === node.path ? "" : ` of ${next.path}`}`;
}

function nameOf(side: SideGraph, { path, kind, id }: ReachNode): string {
  const summary = side.module(path)?.summary;
  if (kind === "class" || kind === "whole") return summary?.classes[id]?.name ?? "a class";
  if (id === 0) return "the module";
  const name = summary?.functions[id]?.name ?? "";
  return name === "" ? "a function without a name" : name;
}
