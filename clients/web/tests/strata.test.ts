import { describe, expect, test } from "vitest";
import type { Action } from "warroom-client/games/strata";
import type { Table } from "../src/boards/board";
import {
  described,
  force,
  from,
  indexOf,
  isHome,
  LAYERS,
  occupies,
  type Vertex,
  verticesOf,
} from "../src/boards/strata/position";

describe("the lattice", () => {
  test("has 117 vertices in the order of the view", () => {
    const all = LAYERS.flatMap((_, layer) => verticesOf(layer));
    expect(all.map(indexOf)).toEqual(Array.from({ length: 117 }, (_, index) => index));
  });

  test("has two home corners for each seat", () => {
    const all = LAYERS.flatMap((_, layer) => verticesOf(layer));
    expect([0, 1].map((seat) => all.filter((vertex) => isHome(seat, vertex)))).toEqual([
      [
        [0, 0, 0],
        [0, 2, 2],
      ],
      [
        [4, 0, 0],
        [4, 2, 2],
      ],
    ]);
  });
});

describe("force", () => {
  const stack = (pieces: number, energy: number) => ({ seat: 0, pieces, energy });
  test.each<[number, number, Vertex, number, boolean]>([
    [1, 1, [0, 0, 0], 1, true],
    [3, 0, [0, 0, 0], 0, false],
    [3, 2, [1, 0, 0], 3, false],
    [4, 2, [1, 0, 0], 4, true],
    [5, 5, [2, 0, 0], 25 / 3, false],
    [9, 3, [2, 0, 0], 9, true],
    [9, 9, [0, 0, 0], 10, true],
  ])("of %i pieces with energy %i at %o", (pieces, energy, vertex, value, holds) => {
    expect(force(stack(pieces, energy), vertex)).toBeCloseTo(value, 12);
    expect(occupies(stack(pieces, energy), vertex)).toBe(holds);
  });
});

test("actions start at their vertex or source", () => {
  const legal: Action[] = [
    { type: "place", vertex: [0, 0, 0] },
    { type: "move", source: [0, 0, 0], target: [0, 0, 1] },
    { type: "move", source: [0, 2, 2], target: [0, 0, 0] },
    { type: "end_turn" },
  ];
  expect(from(legal, [0, 0, 0])).toEqual(legal.slice(0, 2));
});

test("a stack is described with its owner, and one piece is singular", () => {
  const table = { name: (seat) => (seat === 0 ? "you" : "Ada") } as Table;
  expect(described({ seat: 1, pieces: 1, energy: 1 }, [0, 0, 0], table)).toBe("Ada, 1 piece, energy 1, force 1");
  expect(described({ seat: 0, pieces: 3, energy: 2 }, [1, 0, 0], table)).toBe("you, 3 pieces, energy 2, force 3");
});
