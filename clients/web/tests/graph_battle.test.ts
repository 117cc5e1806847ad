import { describe, expect, test } from "vitest";
import type { Options, PublicView } from "warroom-client/games/graph_battle";
import { edges, frame, odds, percent, places, whyNoSource, whyNoTarget } from "../src/boards/graph_battle/position";

const DOCUMENT = { board: "standard", attack: "document", dice_percent: 60 } as Options;

/** Three nodes in a row, the last of which is blue. */
function row(options: Partial<Options> = {}): PublicView {
  return {
    options: { ...DOCUMENT, ...options },
    board: {
      rows: 1,
      columns: 3,
      positions: [
        [0, 0],
        [0, 1],
        [0, 2],
      ],
      neighbours: [[1], [0, 2], [1]],
    },
    nodes: [
      { color: "red", strength: 3 },
      { color: "red", strength: 1 },
      { color: "blue", strength: 2 },
    ],
    colors: ["red", "blue"],
    seat: 0,
  } as unknown as PublicView;
}

describe("the odds of an attack", () => {
  test.each([
    [2, 0, 1 / 2],
    [2, 3, 1 / 16],
    [3, 2, 5 / 16],
    [4, 1, 11 / 16],
    [5, 2, 21 / 32],
  ])("of %i on %i are those of the rules page", (attacker, defender, chance) => {
    expect(odds(attacker, defender, DOCUMENT)).toBeCloseTo(chance, 12);
  });

  test("are better where the last strength decides", () => {
    const quick = { ...DOCUMENT, attack: "quick" } as Options;
    expect(odds(2, 0, quick)).toBe(1);
    expect(odds(2, 1, quick)).toBeCloseTo(1 / 2, 12);
  });

  test("follow the die", () => {
    expect(odds(2, 0, { ...DOCUMENT, attack: "dice", dice_percent: 60 } as Options)).toBeCloseTo(0.6, 12);
  });

  test("are never shown as certain when they are not", () => {
    expect([0.999, 0.5, 0.001, 1].map(percent)).toEqual([">99 %", "50 %", "<1 %", "100 %"]);
  });
});

describe("the sheet", () => {
  test("has each edge once", () => {
    expect(edges(row())).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ]);
  });

  test("encloses all nodes", () => {
    expect(frame(places(row()))).toBe("4 4 292 92");
  });
});

describe("impossible actions", () => {
  test.each([
    [2, "Not yours"],
    [1, "strength 2 or more"],
    [0, "No enemy"],
  ])("is explained for node %i as a source", (node, words) => {
    expect(whyNoSource(row(), node, 0)).toContain(words);
  });

  test("is explained for a target", () => {
    expect(whyNoTarget(row(), 0, 2)).toContain("not connected");
    expect(whyNoTarget(row(), 0, 1)).toContain("strength 2 or more");
  });
});
