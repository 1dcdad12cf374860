import { expect, it } from "vitest";
import { writeTo } from "./sink.ts";
import type { Output } from "./terminal.ts";

const failing = (code: string): Output => ({
  write(_text, done) {
    done?.(Object.assign(new Error(code), { code }));
    return false;
  },
});

it("takes it quietly that the reader went away", async () => {
  await expect(writeTo(failing("EPIPE"), "x")).resolves.toBeUndefined();
});

it("does not hide other failures", async () => {
  await expect(writeTo(failing("ENOSPC"), "x")).rejects.toThrow("ENOSPC");
});
