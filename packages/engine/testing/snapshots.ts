import { afterEach } from "vitest";
import { readerOver } from "../git/reader.ts";
import { openRepository } from "../git/repository.ts";
import type { Repository } from "../git/repository.ts";
import { worktreeSnapshot } from "../git/snapshots.ts";
import type { Snapshot, SnapshotEntry } from "../snapshot/snapshot.ts";

const open: Repository[] = [];

afterEach(() => {
  for (const repository of open.splice(0)) repository.close();
});

/** The repository, closed when the test ends. */
export async function repositoryAt(root: string): Promise<Repository> {
  const repository = await openRepository(root);
  open.push(repository);
  return repository;
}

export function pathsOf(snapshot: Snapshot): string[] {
  return snapshot.entries.map((entry) => entry.path);
}

export function entryAt(snapshot: Snapshot, name: string): SnapshotEntry | undefined {
  return snapshot.entries.find((entry) => entry.path === name);
}

/** What each file and link holds, by path; for what cannot be read, the kind of the answer. */
export async function contentsOf(repository: Repository, snapshot: Snapshot): Promise<Record<string, string>> {
  const readable = snapshot.entries.filter((entry) => entry.type === "file" || entry.type === "link");
  const reads = await readerOver(repository).read(readable.map((entry) => entry.target), 1000);
  return Object.fromEntries(reads.map((read, index) => [readable[index]!.path, read.kind === "bytes" ? read.bytes.toString("utf8") : read.kind]));
}

/** As `contentsOf`, of the working tree. */
export async function workingContents(root: string): Promise<Record<string, string>> {
  const repository = await repositoryAt(root);
  return contentsOf(repository, await worktreeSnapshot(repository));
}
