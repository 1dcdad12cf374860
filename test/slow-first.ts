import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** The suites that take longest, longest first: one of them that begins last leaves the other processors idle. */
const SLOW = ["test/properties/fixtures.test.ts", "test/fixtures.test.ts", "test/properties/real.test.ts", "test/properties/evasion-", "test/evasion.test.ts", "test/eslint/command.test.ts", "test/change/", "test/eslint/", "test/laundering/", "parsers/ecmascript/differential.test.ts", "test/cli/"];

/** Vitest's order, which a fresh clone has no durations for, with the slow suites before it. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const index = SLOW.findIndex((name) => moduleId.includes(`/${name}`));
      return index === -1 ? SLOW.length : index;
    };
    return [...sorted].sort((one, other) => place(one) - place(other));
  }
}
