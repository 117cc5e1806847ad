import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { View } from "warroom-client";
import { type Sentence, told } from "../src/boards/sentences";

interface Golden {
  readonly names: readonly string[];
  readonly event: View;
  readonly texts: readonly (readonly [string, string | null])[];
  readonly sentences: readonly Sentence[];
  readonly told: readonly { readonly events: readonly View[]; readonly lines: readonly string[] }[];
}

const GOLDEN = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../tests/golden/sentences.json"), "utf-8"),
) as Golden;

const name = (seat: number): string => GOLDEN.names[seat] ?? "";
const otherwise = (): string => "something else";

describe("events in the sentences of their game, as in Python", () => {
  test.each(GOLDEN.texts)("%s", (text, line) => {
    const sentence = { of: ["take"], text, when: {} };
    expect(told([sentence], [GOLDEN.event], name, otherwise)).toEqual(line === null ? [] : [line]);
  });

  test.each(GOLDEN.told)("the first matching template is used: $lines", ({ events, lines }) => {
    expect(told(GOLDEN.sentences, events, name, otherwise)).toEqual(lines);
  });

  test("events without a template use the fallback", () => {
    expect(told(GOLDEN.sentences, [{ type: "fall", loser: 1 }], name, otherwise)).toEqual(["something else"]);
  });
});
