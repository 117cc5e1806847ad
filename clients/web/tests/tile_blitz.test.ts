import { describe, expect, test } from "vitest";
import type { Card, GameEvent, Options, PublicView, Tile } from "warroom-client/games/tile_blitz";
import type { Table } from "../src/boards/board";
import {
  aftermath,
  areNeighbours,
  order,
  pairs,
  placeOf,
  tell,
  whyNoAttack,
  whyNoMove,
} from "../src/boards/tile_blitz/position";

const EMPTY: Tile = { color: null, troops: 0, tanks: 0 };

/** A neutral board except for some tiles. */
function board(held: { readonly [id: number]: Tile }, stamina = 1): PublicView {
  return {
    options: { losses: "document", march: true, rotate_first: true, max_rounds: 40 },
    tiles: Array.from({ length: 49 }, (_, index) => held[index + 1] ?? EMPTY),
    players: [
      { color: "red", gold: 2, stamina, cards: 0 },
      { color: "orange", gold: 2, stamina, cards: 0 },
    ],
    seat: 0,
  } as unknown as PublicView;
}

function red(troops: number, tanks = 0): Tile {
  return { color: "red", troops, tanks };
}

describe("the tiles", () => {
  test("are counted row by row from 1", () => {
    expect([placeOf(1), placeOf(9), placeOf(49)]).toEqual([
      [0, 0],
      [1, 1],
      [6, 6],
    ]);
  });

  test("are neighbours when they share an edge, not across the border", () => {
    expect([areNeighbours(9, 10), areNeighbours(9, 16), areNeighbours(9, 17), areNeighbours(7, 8)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("the outcome of an attack matches the rules page", () => {
  const orange = (troops: number): Tile => ({ color: "orange", troops, tanks: 0 });
  test.each([
    ["document", red(5), EMPTY, { troops: 0, tanks: 0 }],
    ["document", red(5), orange(4), { troops: 3, tanks: 0 }],
    ["document", red(6, 2), orange(4), { troops: 3, tanks: 0 }],
    ["document", red(2, 3), orange(0), { troops: 0, tanks: 0 }],
    ["attrition", red(5), EMPTY, { troops: 3, tanks: 0 }],
    ["attrition", red(6, 2), orange(5), { troops: 4, tanks: 0 }],
  ] as const)("%s: %o on %o", (losses, source, target, left) => {
    expect(aftermath(source, target, { losses } as Options)).toEqual(left);
  });
});

describe("impossible actions are explained", () => {
  test.each([
    [9, 10, null],
    [9, 17, "adjacent tile"],
    [9, 8, "already yours"],
    [8, 1, "needs 2 troops"],
    [9, 16, "Too weak"],
    [10, 11, "your own tiles first"],
  ])("attack from %i on %i", (source, target, words) => {
    const view = board({ 9: red(3), 8: red(1), 16: { color: "orange", troops: 3, tanks: 0 } });
    const why = whyNoAttack(view, "red", source, target);
    expect(words === null ? why : why?.includes(words)).toBe(words === null ? null : true);
  });

  test.each([
    [9, 10, 1, null],
    [9, 11, 1, null],
    [9, 11, 0, "costs 1 stamina"],
    [9, 49, 1, "No path"],
    [9, 12, 1, "your own tiles"],
    [10, 9, 1, "One troop must stay"],
    [11, 10, 1, "stranded"],
  ])("move from %i to %i with stamina %i", (source, target, stamina, words) => {
    const view = board({ 9: red(3), 10: red(1), 11: red(0, 2), 49: red(1) }, stamina);
    const why = whyNoMove(view, 0, source, target);
    expect(words === null ? why : why?.includes(words)).toBe(words === null ? null : true);
  });
});

test.each([
  [0, [1, 1], "Next: Ada, then Ada again"],
  [1, [1, 0], "Next: Ada again, then you"],
  [1, [0], "Next: you"],
  [0, [], "This is the last turn"],
])("the players after seat %i are named", (seat, upcoming, told) => {
  const table = { name: (of: number | null) => (of === 0 ? "you" : "Ada") } as Table;
  expect(order({ ...board({}), seat, upcoming }, table)).toBe(told);
});

test("a pair is two cards of one value, and three make one pair", () => {
  const cards = [3, 7, 3, 3, 7].map((value, id): Card => ({ id, value, suit: "clubs" }));
  expect(pairs(cards).map((pair) => pair.map((card) => card.id))).toEqual([
    [0, 2],
    [1, 4],
  ]);
});

test("card events have a name only for viewers who see all hands", () => {
  const table = { seat: 0, name: (seat: number | null) => (seat === 0 ? "you" : "Ada") } as Table;
  const drawn = { type: "drawn", cards: [{ id: 1, value: 12, suit: "hearts" }] } as const satisfies GameEvent;
  expect(tell(drawn, table)).toBe("you drew Q♥");
  expect(tell({ ...drawn, seat: 3 } as GameEvent, { ...table, seat: null })).toBe("Ada drew Q♥");
});
