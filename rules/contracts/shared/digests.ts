import { createHash } from "node:crypto";

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** How bytes differ from a recorded digest: not at all, in line ends alone, or otherwise. */
export function comparedWith(bytes: Uint8Array, recorded: string): "equal" | "line-endings" | "different" {
  if (sha256(bytes) === recorded) return "equal";
  // Latin-1 keeps every byte as one character.
  const text = Buffer.from(bytes).toString("latin1");
  const bare = text.replaceAll("\r\n", "\n");
  const others = [bare, bare.replaceAll("\n", "\r\n")].map((one) => sha256(Buffer.from(one, "latin1")));
  return others.includes(recorded) ? "line-endings" : "different";
}
