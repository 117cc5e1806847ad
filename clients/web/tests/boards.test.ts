/** The generic drawing of a view from schema hints. */

import { describe, expect, test } from "vitest";
import type { View } from "warroom-client";
import { planOf, without } from "../src/boards/generic/drawing_plan";

function schema(hints: { readonly [key: string]: View }): { readonly [key: string]: View } {
  const properties = { options: { type: "object" }, cells: { type: "array", ...hints } };
  return { $ref: "#/$defs/State", $defs: { State: { type: "object", properties } } };
}

describe("a grid", () => {
  const view = { options: { size: 2 }, cells: [null, 0, 1, null], winner: null };

  test("has the columns of the view, and shows the owner of each cell", () => {
    const plan = planOf(schema({ "x-grid": { columns: ["options", "size"] } }), view);
    expect(plan?.spots.map(({ x, y, seat }) => [x, y, seat])).toEqual([
      [0, 0, null],
      [1, 0, 0],
      [0, 1, 1],
      [1, 1, null],
    ]);
    expect([plan?.width, plan?.height, plan?.fields]).toEqual([2, 2, ["cell"]]);
  });

  test("may have a number of columns, and cells that are maps", () => {
    const cells = [
      { owner: 1, army: 5 },
      { owner: null, army: 0 },
    ];
    const plan = planOf(schema({ "x-grid": { columns: 2, seat: "owner", label: "army", fields: ["from", "to"] } }), {
      cells,
    });
    expect(plan?.spots.map(({ seat, label }) => [seat, label])).toEqual([
      [1, "5"],
      [null, "0"],
    ]);
    expect(plan?.fields).toEqual(["from", "to"]);
  });

  test("leaves the rest of the view to the tree", () => {
    const plan = planOf(schema({ "x-grid": { columns: 2 } }), view);
    expect(without(view, plan?.drawn ?? [])).toEqual({ options: { size: 2 }, winner: null });
  });
});

describe("a graph", () => {
  const view = {
    cells: [
      { color: "red", strength: 3 },
      { color: "blue", strength: 1 },
    ],
    board: {
      next: [[1], [0]],
      at: [
        [0, 0],
        [2, 1],
      ],
    },
  };
  const hint = { edges: ["board", "next"], positions: ["board", "at"], label: "strength" };

  test("has its nodes where the view says, and each edge once", () => {
    const plan = planOf(schema({ "x-graph": hint }), view);
    expect(plan?.spots.map(({ x, y, colour, label }) => [x, y, colour, label])).toEqual([
      [0, 0, "red", "3"],
      [1, 2, "blue", "1"],
    ]);
    expect(plan?.edges).toEqual([[0, 1]]);
    expect(without(view, plan?.drawn ?? [])).toEqual({ board: {} });
  });

  test("is a circle if the view has no coordinates", () => {
    const plan = planOf(schema({ "x-graph": { edges: ["board", "next"] } }), view);
    expect(new Set(plan?.spots.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(2);
  });
});

test.each([
  ["no schema", undefined, { cells: [1] }],
  ["no hint", schema({}), { cells: [1] }],
  ["no such part of the view", schema({ "x-grid": { columns: 1 } }), { other: 1 }],
  ["nothing to draw yet", schema({ "x-grid": { columns: 1 } }), { cells: [] }],
])("there is no plan with %s", (_, hints, view) => {
  expect(planOf(hints, view as View)).toBeNull();
});
