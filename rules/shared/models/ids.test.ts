import { describe, expect, it } from "vitest";
import { allNamed } from "./grammar.ts";
import { modelId } from "./ids.ts";
import known from "./known-ids.json" with { type: "json" };

interface Known {
  readonly source: string;
  readonly pinned?: string;
  readonly moving?: string;
  readonly undatable?: string;
  readonly unknown?: string;
}

const STANDINGS = ["pinned", "moving", "undatable", "unknown"] as const;

const rows = (known as readonly Known[]).flatMap((group) =>
  STANDINGS.flatMap((standing) => (group[standing]?.split(" ") ?? []).map((id) => ({ id, standing }))));

describe("modelId", () => {
  it("is checked against enough names, none listed twice", () => {
    const ids = rows.map((row) => row.id);
    expect(ids.length).toBeGreaterThan(400);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(STANDINGS)("knows what is %s", (standing) => {
    const wrong = rows.filter((row) => row.standing === standing).map((row) => [row.id, modelId(row.id).standing]).filter(([, found]) => found !== standing);
    expect(wrong).toEqual([]);
  });

  it("takes a dated name for pinned whatever else its form would allow, of one provider only", () => {
    const several = rows.map((row) => [row.id, [...new Set(allNamed(row.id).map((named) => named.provider))]] as const).filter(([, providers]) => providers.length > 1);
    expect(several).toEqual([]);
  });

  it("says which word makes a name move, as a whole segment only", () => {
    expect(modelId("chatgpt-4o-latest").alias).toBe("latest");
    expect(modelId("meta-llama/llama-3.1-8b-instruct:free").alias).toBe("free");
    expect(modelId("").alias).toBe("");
    expect(modelId("freedom-7b").alias).toBeUndefined();
  });

  it("says who has the name, and is no different for upper case", () => {
    expect(modelId("GPT-4o")).toEqual({ standing: "moving", provider: "OpenAI", name: "gpt-4o" });
    expect(modelId("router/vendor/claude-sonnet-4.5").provider).toBe("Anthropic");
  });

  it("takes no sentence, path or overlong text for a name", () => {
    for (const text of ["gpt-4o is a model", "a".repeat(300), "gpt-4o\n", `gpt-${"4-".repeat(90)}`, "__proto__", "constructor"]) {
      expect([text, modelId(text).standing]).toEqual([text, text === "gpt-4o\n" ? "moving" : "unknown"]);
    }
  });
});
