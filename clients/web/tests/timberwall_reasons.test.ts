import { describe, expect, test } from "vitest";
import type { PublicView } from "warroom-client/games/timberwall";
import type { Draft, Edge, Sight } from "../src/boards/timberwall/position";
import { type Asking, whyNot, whyNoUnits, whyNoWall } from "../src/boards/timberwall/reasons";

const VIEW = {
  options: { size: 10 },
  bases: [
    { x: 1, y: 1, hp: 100 },
    { x: 8, y: 8, hp: 100 },
  ],
} as unknown as PublicView;

function unit(x: number, y: number, points: number, seat = 0): Sight["units"][number] {
  return { x, y, points, seat, still: 0, forest: 0 };
}

function asking(sight: Partial<Sight> = {}, stores: Partial<NonNullable<Sight["stores"][number]>> = {}): Asking {
  const own = { wood: 10, reserves: 5, has_built: false, ...stores };
  const nothing = { units: [], neutral: [], walls: [], cooling: [], tiles: null };
  return { view: VIEW, seat: 0, sight: { ...nothing, stores: [own, null], ...sight } };
}

const UNITS = [
  unit(5, 5, 5),
  unit(5, 4, 20),
  unit(4, 5, 1),
  unit(4, 6, 500),
  unit(3, 3, 5),
  unit(6, 5, 5, 1),
  unit(9, 5, 5, 1),
];
const CHOSEN: Draft = { mode: "unit", x: 5, y: 5 };
const DEPLOYING: Draft = { mode: "deploy", points: 1 };

describe("a tile with which nothing can be done says why", () => {
  test.each<[string, Draft | null, readonly [number, number], RegExp]>([
    ["nothing is chosen", null, [7, 7], /^Choose one of your units first/],
    ["an enemy is chosen first", null, [6, 5], /^That is an enemy/],
    ["a unit is shut in", null, [5, 5], /cannot act now/],
    ["a deployment is too far away", DEPLOYING, [5, 6], /within 2 tiles of your base/],
    ["a deployment is on the base", DEPLOYING, [1, 1], /stand on a base/],
    ["a deployment is on a unit", DEPLOYING, [3, 3], /tile is occupied/],
    ["a wall is not on a tile", { mode: "wall" }, [7, 7], /^Walls stand on the edges/],
    ["a removal is not on a tile", { mode: "remove" }, [7, 7], /^Choose one of your own walls/],
    ["a step is too long", CHOSEN, [7, 7], /^Too far away. Units move/],
    ["a step is blocked", CHOSEN, [5, 6], /^The way is blocked/],
    ["tiers differ", CHOSEN, [4, 5], /different tiers/],
    ["a friend of the tier is behind a wall", CHOSEN, [5, 4], /^The way is blocked/],
    ["a friend of the tier is too far away", CHOSEN, [3, 3], /^Too far away/],
    ["an enemy is behind a wall", CHOSEN, [6, 5], /^The way is blocked/],
    ["an enemy is too far away", CHOSEN, [9, 5], /^That enemy is out of reach/],
    ["the enemy's base is too far away", CHOSEN, [8, 8], /^The base is out of reach/],
    ["the own base is no place to go", CHOSEN, [1, 1], /stand on a base/],
    ["a unit is full", { mode: "unit", x: 3, y: 6 }, [4, 6], /500 points cannot grow/],
  ])("%s", (_, draft, [x, y], words) => {
    const units = [...UNITS, unit(3, 6, 500)];
    expect(whyNot(asking({ units }), { x, y }, draft)).toMatch(words);
  });
});

describe("no wall can be built because", () => {
  const around = (x: number, y: number): Edge[] => [
    { x, y, side: "east" },
    { x, y, side: "south" },
    { x: x - 1, y, side: "east" },
    { x, y: y - 1, side: "south" },
  ];
  const walls = around(5, 5).map((edge) => ({ ...edge, owner: 1, hp: 100 }));
  const cooling = [{ x: 5, y: 5, side: "east", ready_round: 9 } as const];
  const units = [unit(5, 5, 5)];
  test.each<[string, Asking, RegExp]>([
    ["one is built", asking({ units }, { has_built: true }), /^You already built/],
    ["there is no wood", asking({ units }, { wood: 4 }), /10 wood, and you have 4/],
    ["all units are near a base", asking({ units: [unit(2, 2, 5), unit(7, 6, 1)] }), /not within 2 tiles of a base/],
    ["the edge is cooling", asking({ units, walls: walls.slice(1), cooling }), /from round 9/],
    [
      "each edge has one",
      asking({ units, walls: walls.slice(1), neutral: around(5, 5).slice(0, 1) }),
      /already has a wall/,
    ],
  ])("%s", (_, at, words) => {
    expect(whyNoWall(at)).toMatch(words);
  });
});

test("no unit can be deployed for want of reserves, or of room", () => {
  expect(whyNoUnits(asking({}, { reserves: 0 }))).toMatch(/^A unit costs its points/);
  expect(whyNoUnits(asking())).toMatch(/is taken/);
});
