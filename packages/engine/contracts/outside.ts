import { GateError } from "../errors.ts";
import type { Root } from "../discovery/root.ts";
import { headCommit } from "../git/refs.ts";
import { openRepository } from "../git/repository.ts";

/** What of git a contract is compared with. */
export interface Head {
  readonly id: string | null;
  /** Committer time. */
  readonly committed: Date | null;
}

const NO_HEAD: Head = { id: null, committed: null };

/** The head commit of the tree; none where there is no git, or no commit yet: rules that need it say so. */
export async function headOf({ folder, git }: Root): Promise<Head> {
  if (!git) return NO_HEAD;
  try {
    const repository = await openRepository(folder);
    try {
      const id = await headCommit(repository);
      const shown = await repository.git(["show", "--no-patch", "--no-show-signature", "--format=%ct", id]);
      const seconds = Number.parseInt(shown.stdout.toString("latin1"), 10);
      return { id, committed: Number.isNaN(seconds) ? null : new Date(seconds * 1000) };
    } finally {
      repository.close();
    }
  } catch (error) {
    if (error instanceof GateError) return NO_HEAD;
    throw error;
  }
}
