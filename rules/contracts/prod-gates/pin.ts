/** Words that put something in place, as the command's verbs or as the name of a script. */
const VERBS = new Set(["apply", "install", "upgrade", "deploy", "run", "revert", "checkout"]);
const SCRIPT = /\.(?:sh|bash|py|js|mjs|ts|rb)$/;

/** Whether a command puts a state in place that it has to name: `kubectl rollout undo` goes to the one before. */
export function needsPin(command: string): boolean {
  return simpleCommands(command).some((words) => !isUndo(words) && words.some((word, index) => isVerb(word) || (word === "set" && words[index + 1] === "image")));
}

function isVerb(word: string): boolean {
  return VERBS.has(word.slice(word.lastIndexOf("/") + 1).replace(SCRIPT, "")) && !/^[a-z]+\/[a-z]+$/.test(word);
}

function isUndo(words: readonly string[]): boolean {
  const start = words.indexOf("rollout");
  return words[0] === "kubectl" && start !== -1 && words[start + 1] === "undo";
}

/** The commands of a line, as words without quotes; what follows a `#` is a remark. */
function simpleCommands(command: string): string[][] {
  return withoutRemarks(command).split(/&&|\|\||[;|&\n()]/).map(wordsIn).filter((words) => words.length > 0);
}

function wordsIn(text: string): string[] {
  return text.split(/[\s"'`]+/).filter((word) => word !== "");
}

function withoutRemarks(command: string): string {
  return command.split("\n").map((line) => {
    const start = line.search(/(?:^|\s)#/);
    return start === -1 ? line : line.slice(0, start);
  }).join("\n");
}

/** Whether a command names one state: a commit, a version, a tag other than latest, or a revision. */
export function hasPin(command: string): boolean {
  const words = wordsIn(withoutRemarks(command));
  const isContainer = words.some((word) => CONTAINERS.has(word));
  return words.some((word, index) => isCommit(word) || isVersion(word) || isImage(word, isContainer) || isTag(word) || isRevision(word, words[index + 1]));
}

const CONTAINERS = new Set(["docker", "podman", "nerdctl", "kubectl"]);

/** Seven hex digits or more with a digit among them, and no letter or digit around. */
function isCommit(word: string): boolean {
  return word.split(/[^A-Za-z0-9]/).some((part) => /^[0-9a-fA-F]{7,64}$/.test(part) && /\d/.test(part));
}

/** `v1.2.3`, `2.4`; four numbers may be an address. */
function isVersion(word: string): boolean {
  if (word.includes("://")) return false;
  return word.split(/[^A-Za-z0-9.]/).some((part) => /^v?\d+(?:\.\d+)+$/.test(part) && !isAddress(part));
}

function isAddress(part: string): boolean {
  const numbers = part.split(".");
  return numbers.length === 4 && numbers.every((number) => /^\d{1,3}$/.test(number) && Number(number) <= 255);
}

/** `registry/api:2026-11`, and without a slash where the command is about containers. */
function isImage(word: string, isContainer: boolean): boolean {
  const image = word.slice(word.lastIndexOf("=") + 1);
  const colon = image.lastIndexOf(":");
  const name = image.slice(0, colon);
  const tag = image.slice(colon + 1);
  if (colon < 1 || image.includes("://") || !/^\w[\w.-]{0,127}$/.test(tag) || tag.toLowerCase() === "latest") return false;
  return /^[\w./:@-]+$/.test(name) && /[A-Za-z]/.test(name) && (name.includes("/") || isContainer);
}

/** `image.tag=v12`, `--tag=v12`. */
function isTag(word: string): boolean {
  const tag = /(?:^|[.\-,])tag=(\w[\w.-]*)$/.exec(word)?.[1];
  return tag !== undefined && tag.toLowerCase() !== "latest";
}

function isRevision(word: string, next: string | undefined): boolean {
  return /^--to-revision=\d+$/.test(word) || (word === "--to-revision" && next !== undefined && /^\d+$/.test(next));
}
