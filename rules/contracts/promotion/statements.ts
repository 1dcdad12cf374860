import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { lookUp } from "../evidence.ts";
import { hostOf } from "../shared/hosts.ts";
import { contains } from "../shared/paths.ts";
import { hostsIn } from "../shared/search.ts";
import { shown } from "../shared/values.ts";
import { saysNothing } from "./evidence-files.ts";
import { type GateEvidence, type Said, said } from "./gates.ts";
import type { Promotion } from "./index.ts";

/** What a gate says under a key, blank statements left out: those are reported as such. */
function answers(evidence: readonly GateEvidence[], gate: string, key: string): Said[] {
  return said(evidence, gate, key).filter((one) => !saysNothing(one));
}

function isSameHost(one: string, two: string): boolean {
  const [left, right] = [hostOf(one), hostOf(two)];
  return one.trim().toLowerCase() === two.trim().toLowerCase() || (left !== null && left === right);
}

/** HOST_SPLIT: the lab is the one of the contract, production is not it, and every tree was looked through. */
export function checkHostSplit({ lab }: Promotion, evidence: readonly GateEvidence[]): Diagnostic<"host-split">[] {
  const hosts = lab?.value.allowed_hosts;
  const trees = lab?.value.must_not_appear_in;
  const lost = answers(evidence, "HOST_SPLIT", "lab_host").flatMap((one) => one.entries.filter(({ text }) => hosts !== undefined && !hosts.value.some(({ value }) => isSameHost(value, text)))
    .map((entry) => diagnostic("host-split", one.spotOf(entry), `The lab host ${shown(entry.text)} is none of \`lab.allowed_hosts\`, so another host was split off than the trees are searched for. Name the same.`, hosts === undefined ? [] : [other(hosts, "the lab's hosts")])));
  const names = (hosts?.value ?? []).map(({ value }) => value);
  const same = answers(evidence, "HOST_SPLIT", "prod_runtime").flatMap((one) => one.entries.filter(({ text }) => hostsIn(text, names).length > 0)
    .map((entry) => diagnostic("host-split", one.spotOf(entry), `\`prod_runtime\` is ${shown(entry.text)}, which is on a lab host: nothing is split. Name what production runs on.`)));
  return [...lost, ...same, ...uncheckedTrees(trees, answers(evidence, "HOST_SPLIT", "checked_trees"))];
}

type Trees = NonNullable<NonNullable<Promotion["lab"]>["value"]["must_not_appear_in"]>;

function uncheckedTrees(trees: Trees | undefined, checked: readonly Said[]): Diagnostic<"host-split">[] {
  const [first] = checked;
  const named = checked.flatMap(({ entries }) => entries.map(({ text }) => text));
  const left = (trees?.value ?? []).filter(({ value }) => !named.some((one) => contains(one, value)));
  if (first === undefined || left.length === 0) return [];
  const message = `\`checked_trees\` leaves ${left.map(({ value }) => shown(value)).join(", ")} out, which the contract lists. Check all of them, and name them here.`;
  return [diagnostic("host-split", first.spot, message, left.map((tree) => other(tree, "listed here")))];
}

/** MODEL_PIN: who calls, what must and must not be set, and that nothing answers when it is not. */
export function checkModelPin(evidence: readonly GateEvidence[], context: ContractContext): Diagnostic<"model-pin">[] {
  const callers = answers(evidence, "MODEL_PIN", "caller").flatMap((one) => one.entries.filter(({ text }) => lookUp(context, text).kind !== "file")
    .map((entry) => diagnostic("model-pin", one.spotOf(entry), `The caller ${shown(entry.text)} is no file of the repository, so nobody can see what it reads. Name the file that calls the model.`)));
  const open = answers(evidence, "MODEL_PIN", "unset_means").filter(({ entries, value }) => !/^fail closed(?![\w-])/i.test(value === "" ? entries[0]!.text : value))
    .map((one) => diagnostic("model-pin", one.spot, "`unset_means` does not begin with \"fail closed\": without a model id something else would answer. Let the service refuse to start."));
  return [...callers, ...absentNames(evidence, "required_env", ["MODEL_ID", "MODEL_ENDPOINT"]), ...absentNames(evidence, "forbidden_env", ["LAB_MODEL"]), ...open];
}

function absentNames(evidence: readonly GateEvidence[], key: string, wanted: readonly string[]): Diagnostic<"model-pin">[] {
  const statements = answers(evidence, "MODEL_PIN", key);
  const named = new Set(statements.flatMap(({ entries }) => entries.flatMap(({ text }) => text.split(/[\s;]+/))));
  const absent = wanted.filter((name) => !named.has(name));
  const [first] = statements;
  if (first === undefined || absent.length === 0) return [];
  return [diagnostic("model-pin", first.spot, `\`${key}\` leaves out ${absent.join(" and ")}, so the model is not pinned by it. Add the name, and see that the code keeps to it.`)];
}

/** OBSERVABILITY: production is seen under the service's own name, and the lab's name nowhere. */
export function checkProdName({ service }: Promotion, evidence: readonly GateEvidence[]): Diagnostic<"prod-name">[] {
  const renamed = answers(evidence, "OBSERVABILITY", "prod_name").filter((one) => service !== undefined && textOf(one) !== service.value.trim())
    .map((one) => diagnostic("prod-name", one.spot, `\`prod_name\` is ${shown(textOf(one))} and the service is called ${shown(service!.value)}: alerts would speak of another one. Use one name.`, [other(service!, "the service")]));
  const unsure = answers(evidence, "OBSERVABILITY", "lab_name_absent").filter((one) => textOf(one) !== "yes")
    .map((one) => diagnostic("prod-name", one.spot, `\`lab_name_absent\` is ${shown(textOf(one))} and no plain \`yes\`: the lab may still report as production. Take its name out, then say so.`));
  return [...renamed, ...unsure];
}

/** What a statement says in one piece. */
function textOf({ entries, value }: Said): string {
  return entries.length === 1 ? entries[0]!.text : value;
}
