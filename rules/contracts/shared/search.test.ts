import { describe, expect, it } from "vitest";
import { hostsIn, literalsIn, searchText } from "./search.ts";

function places(text: string, literals: readonly string[]): string[] {
  return hostsIn(text, literals).map(({ at, literal }) => `${literal}@${at.line}:${at.column}`);
}

describe("hostsIn", () => {
  it("keeps offsets behind letters that grow in lower case", () => {
    expect(places("İİ LAB.corp", ["lab."])).toEqual(["lab.@1:4"]);
  });

  it("finds a name beyond ASCII as people and as resolvers write it", () => {
    expect(places("bücher.example\nhttps://xn--bcher-kva.example/", ["bücher.example"])).toEqual(["bücher.example@1:1", "bücher.example@2:9"]);
  });

  it("takes the host of a URL, not its user or path", () => {
    expect(places("http://user@0x7f.1:80/x http://a.example/0x7f.1", ["127.0.0.1"])).toEqual(["127.0.0.1@1:8"]);
  });

  it("tells an escaped letter from one that stands there", () => {
    expect(places(String.raw`"\u006cab.corp lab.corp"`, ["lab."])).toEqual(["lab.@1:2", "lab.@1:16"]);
    expect(places(String.raw`"\u0061 lab.corp"`, ["lab."])).toEqual(["lab.@1:9"]);
  });

  it("reports overlapping literals once, and a blank one never", () => {
    expect(places("gpu-lab.corp", ["lab.corp", "lab.", "gpu-lab.corp", " "])).toEqual(["gpu-lab.corp@1:1"]);
  });

  it("holds a bounded number of hits of a file that is nothing else", () => {
    expect(hostsIn("lab.a ".repeat(50_000), ["lab."])).toHaveLength(1000);
  });
});

describe("literalsIn", () => {
  it("finds a literal letter by letter", () => {
    expect(literalsIn("akia\nAKIA .*", ["AKIA", ".*", ""]).map(({ at }) => [at.line, at.column])).toEqual([[2, 1], [2, 6]]);
  });
});

describe("searchText", () => {
  it("drops the zero bytes of UTF-16 and reads other bytes one by one", () => {
    expect(searchText(Buffer.from("lab.corp", "utf16le"))).toBe("lab.corp");
    expect(searchText(Buffer.from([0xe9, 0x6c, 0x61, 0x62]))).toBe("\u00e9lab");
  });
});
