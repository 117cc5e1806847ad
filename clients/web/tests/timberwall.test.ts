import { describe, expect, test } from "vitest";
import type { Action, PrivateView, PublicView, Unit } from "warroom-client/games/timberwall";
import {
  aimedAt,
  at,
  edgeHit,
  edgeOf,
  rangeOf,
  rankOf,
  sightOf,
  targetOf,
  tileMeant,
} from "../src/boards/timberwall/position";

const UNIT: Unit = { x: 1, y: 2, points: 5, still: 0, forest: 0 };

function table(size = 10): PublicView {
  return { options: { size }, colors: ["green", "red"], board: null, neutral_walls: [] } as unknown as PublicView;
}

function knowledge(seat: number, view: Partial<PrivateView> = {}): PrivateView {
  return {
    seat,
    wood: 3,
    reserves: 1,
    has_built: false,
    units: [],
    enemies: [],
    neutral_walls: [],
    walls: [],
    cooling: [],
    tiles: ["?".repeat(10)],
    ...view,
  };
}

test.each([
  [{ type: "attack", x: 3, y: 3, direction: "s" }, "Attack 3, 4"],
  [{ type: "move", x: 3, y: 3, direction: "s" }, "Move to 3, 4"],
  [{ type: "deploy", x: 3, y: 4, points: 1 }, "Deploy at 3, 4"],
] as const satisfies [Action, string][])("%o is %s", (action, words) => {
  expect(aimedAt(action, { x: 3, y: 4 })).toBe(words);
});

describe("a finger means", () => {
  const targets = new Set(["2,2", "4,2"]);
  test.each([
    ["the target under it, though another is as near", 2.99, 2.5, "2,2"],
    ["a target beside it", 1.95, 2.4, "2,2"],
    ["a target across a corner", 1.95, 1.95, "2,2"],
    ["the nearest of two", 3.6, 2.5, "4,2"],
    ["what lies under it where no target is near", 1.2, 2.5, "1,2"],
    ["the last tile at the border", 10, 10, "9,9"],
  ])("%s", (_, x, y, meant) => {
    expect(at(tileMeant({ x, y }, 10, 1, (tile) => targets.has(at(tile))))).toBe(meant);
  });

  test("with a mouse, only the tile below it", () => {
    expect(tileMeant({ x: 1.95, y: 2.4 }, 10, 0, (tile) => targets.has(at(tile)))).toEqual({ x: 1, y: 2 });
  });
});

describe("units", () => {
  test.each([
    [1, 1, 1],
    [4, 1, 4],
    [7, 2, 1],
    [24, 2, 4],
    [25, 3, 1],
    [125, 4, 1],
    [500, 4, 4],
  ])("of %i points are tier %i, level %i", (points, tier, level) => {
    expect(rankOf(points)).toEqual({ tier, level });
  });

  test("of every strength are in the range of their tier, and in no other", () => {
    const ranges = [1, 2, 3, 4].map((tier) => rangeOf(tier));
    for (let points = 1; points <= 500; points++) {
      const fitting = ranges.flatMap(({ least, most }, index) => (least <= points && points <= most ? index + 1 : []));
      expect(fitting).toEqual([rankOf(points).tier]);
    }
    expect(ranges.map(({ least, most }) => [least, most])).toEqual([
      [1, 4],
      [5, 24],
      [25, 124],
      [125, 500],
    ]);
  });

  test("go in eight directions", () => {
    expect(targetOf({ type: "move", x: 3, y: 4, direction: "ne" })).toEqual({ x: 4, y: 3 });
    expect(targetOf({ type: "attack", x: 3, y: 4, direction: "s" })).toEqual({ x: 3, y: 5 });
  });
});

describe("edges", () => {
  test("have numbers", () => {
    expect([edgeOf(0, 10), edgeOf(23, 10)]).toEqual([
      { x: 0, y: 0, side: "east" },
      { x: 1, y: 1, side: "south" },
    ]);
  });

  test("are named by the tile west or north of them", () => {
    const hits = (["n", "e", "s", "w"] as const).map((direction) =>
      edgeHit({ type: "hit_wall", x: 5, y: 5, direction }),
    );
    expect(hits).toEqual([
      { x: 5, y: 4, side: "south" },
      { x: 5, y: 5, side: "east" },
      { x: 5, y: 5, side: "south" },
      { x: 4, y: 5, side: "east" },
    ]);
  });
});

describe("known facts", () => {
  test("to a player are own units and enemies in sight, and only the own stores", () => {
    const view = knowledge(0, { units: [UNIT], enemies: [{ ...UNIT, x: 4 }] });
    const sight = sightOf({ public: table(), private: view, privates: [] });
    expect(sight.units.map(({ x, seat }) => [x, seat])).toEqual([
      [1, 0],
      [4, 1],
    ]);
    expect(sight.stores[0]).toMatchObject({ wood: 3, reserves: 1 });
    expect(sight.stores[1]).toBeNull();
  });

  test("to a spectator of both sides is each unit once, and the clearer of both fogs", () => {
    const green = knowledge(0, { units: [UNIT], tiles: [".-??"] });
    const red = knowledge(1, { enemies: [UNIT], tiles: ["?.-?"] });
    const sight = sightOf({ public: table(), private: null, privates: [green, red] });
    expect(sight.units).toHaveLength(1);
    expect(sight.tiles).toEqual(["..-?"]);
  });

  test("to an anonymous spectator is the terrain alone", () => {
    const sight = sightOf({ public: table(), private: null, privates: [] });
    expect([sight.units, sight.tiles, sight.stores]).toEqual([[], null, [null, null]]);
  });
});
