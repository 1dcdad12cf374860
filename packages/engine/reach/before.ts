import type { Capability } from "@agentgate/rules";
import { Spread } from "@agentgate/rules/reach";
import type { ReachEdge, ReachModule } from "@agentgate/rules/reach";
import { folderOf, joinTree } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { derivedBy } from "./added.ts";
import type { ReachInput } from "./reach.ts";
import type { SideGraph } from "./side.ts";

/** What a module had and reached at the base. */
export interface Before {
  readonly capabilities: ReadonlySet<Capability>;
  /** What loading the packages around it reached. */
  readonly around: ReadonlySet<Capability>;
  /** Modules, by their paths at head, whose bodies it or the packages around it ran. */
  readonly loaded: ReadonlySet<TreePath>;
}

/** A changed module; `loads`: whether what it may have gained comes by running the body of a module. */
type Asked = ReachInput["modules"][number] & { readonly loads: boolean };

/** The state of modules at the base, by their path at head. */
export async function stateBefore(side: SideGraph, head: SideGraph, modules: readonly Asked[], input: ReachInput): Promise<Map<TreePath, Before>> {
  const asked = modules.map((module) => {
    const isPython = head.module(module.path)?.summary.language === "python";
    return { ...module, around: module.loads && isPython ? packagesAround(module.basePath ?? module.path) : [] };
  });
  await side.load(asked.flatMap(({ basePath, around }) => [...(basePath === null ? [] : [basePath]), ...around]));
  const starts = asked.map(({ around, ...module }) => ({
    ...module, node: module.basePath === null ? null : startOfAll(side, module.basePath, head.module(module.path)),
    around: around.filter((path) => side.module(path) !== null).map((path) => side.graph.node(path, "function", 0)),
  }));
  await side.finish();
  const spread = new Spread(side.graph, (path, capability) => side.covers(path, capability));
  const moved = new Map(input.modules.flatMap(({ path, basePath }) => (basePath === null ? [] : [[basePath, path] as const])));
  return new Map(starts.map(({ path, basePath, node, around, loads }) => {
    const reached = node === null ? [] : side.leaving(node).flatMap((link) => spread.of(link.to));
    const own = basePath === null ? [] : input.own(basePath, "base");
    const loaded = loads ? bodiesRun(side, node === null ? around : [node, ...around]) : [];
    return [path, {
      capabilities: new Set([...reached, ...own]), around: new Set(around.flatMap((package_) => spread.of(package_))), loaded: new Set(loaded.map((each) => moved.get(each) ?? each)),
    }];
  }));
}

/** The `__init__.py` of the folders around a module, which Python runs before it; some may not exist. */
function packagesAround(path: TreePath): TreePath[] {
  const found: TreePath[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) found.push(joinTree(folder, "__init__.py"));
  return found.filter((package_) => package_ !== path);
}

/** The modules whose bodies run from some nodes on. */
function bodiesRun(side: SideGraph, nodes: readonly number[]): TreePath[] {
  const seen = new Set(nodes);
  // Grows while it is worked off.
  for (const node of seen) for (const { to } of side.graph.links[node]!) seen.add(to);
  return [...seen].filter((node) => side.isBody(node)).map((node) => side.graph.nodes[node]!.path);
}

/** Everything that a module calls and imports; what a class derives from counts where head may ask about the class. */
function startOfAll(side: SideGraph, path: TreePath, after: ReachModule | null): number {
  const module = side.module(path);
  const asked = new Set(after?.summary.classes.map(({ name }) => name));
  const isRun = (edge: ReachEdge, id: number): boolean => {
    if (edge.how === "derive") return derivedBy(module!, edge).some((name) => asked.has(name));
    return edge.how !== "value" || id !== 0;
  };
  const edges = module?.summary.functions.flatMap((each, id) => each.edges.filter((edge) => isRun(edge, id))) ?? [];
  return side.graph.start(path, edges, module?.summary.imports ?? []);
}
