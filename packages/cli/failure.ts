/**
 * Something that keeps the command from judging: exit code 2. Always two lines, what is wrong and what to do,
 * never a stack trace.
 */
export class Failure extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "Failure";
    this.hint = hint;
  }
}

/** An option, a command or a format that the help names and this version does not do yet. */
export function notInThisVersion(what: string, hint: string): Failure {
  return new Failure(`${what} is not in this version`, hint);
}

/** Any thrown value as the two lines of a failure. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const firstLine = detail.split("\n", 1)[0] ?? "";
  return new Failure(`internal error: ${firstLine}`, "This is a fault of agentgate, not of your code: please report it with the command you ran.");
}
