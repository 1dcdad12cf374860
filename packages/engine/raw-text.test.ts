import { describe, expect, it } from "vitest";
import { blobId } from "./git/blob-id.ts";
import { rawText } from "./raw-text.ts";

describe("the text as its file had it", () => {
  it.each(["sha1", "sha256"] as const)("has the byte order mark that the file had (%s)", (format) => {
    const idOf = (text: string): string => blobId(Buffer.from(text), format);
    expect(rawText("x = 1\n", idOf("x = 1\n"))).toBe("x = 1\n");
    expect(rawText("x = 1\n", idOf("\ufeffx = 1\n"))).toBe("\ufeffx = 1\n");
  });

  it("is not known of a file in another encoding", () => {
    expect(rawText("é", blobId(Buffer.from([0xe9]), "sha1"))).toBeNull();
  });
});
