/** The generic drawing of a view from schema hints. */

import { describe, expect, test } from "vitest";
import type { View } from "warroom-client";
import { type Plan, plansOf } from "../src/boards/generic/drawing_plan";
import { shapeOf } from "../src/boards/generic/field_order";
import { actionShape, hintsIn, pricesIn, without } from "../src/boards/generic/hints";
import { type Looks, marksOf } from "../src/boards/generic/looks";
import { after, placeFields, placingOf, targetsOf } from "../src/boards/generic/placing";
import { listsBySeat } from "../src/boards/generic/players_table";
import { fieldTexts, textOf } from "../src/boards/generic/values";

function schema(hints: { readonly [key: string]: View }): { readonly [key: string]: View } {
  const properties = { options: { type: "object" }, cells: { type: "array", ...hints } };
  return { $ref: "#/$defs/State", $defs: { State: { type: "object", properties } } };
}

function planOf(hints: ReturnType<typeof schema> | undefined, view: View): Plan | null {
  return plansOf(hints, view)[0] ?? null;
}

function spotsOf(plan: Plan | null) {
  return plan?.places.flatMap(({ spots }) => spots) ?? [];
}

describe("a grid", () => {
  const view = { options: { size: 2 }, cells: [null, 0, 1, null], winner: null };

  test("has the columns of the view, and shows the owner of each cell", () => {
    const plan = planOf(schema({ "x-grid": { columns: ["options", "size"] } }), view);
    expect(spotsOf(plan).map(({ x, y, seat }) => [x, y, seat])).toEqual([
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
    expect(spotsOf(plan).map(({ seat, label }) => [seat, label])).toEqual([
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
    expect(spotsOf(plan).map(({ x, y, colour, label }) => [x, y, colour, label])).toEqual([
      [0, 0, "red", "3"],
      [1, 2, "blue", "1"],
    ]);
    expect(plan?.edges).toEqual([[0, 1]]);
    expect(without(view, plan?.drawn ?? [])).toEqual({ board: {} });
  });

  test("is a circle if the view has no coordinates", () => {
    const plan = planOf(schema({ "x-graph": { edges: ["board", "next"] } }), view);
    expect(new Set(spotsOf(plan).map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(2);
  });
});

describe("a board of columns", () => {
  const hint = { "x-columns": { rows: ["options", "rows"], fields: ["column"] } };
  const plan = planOf(schema(hint), { options: { rows: 3 }, cells: [[0, 1], [], [1]] });

  test("is filled from the bottom, and each column is one place", () => {
    expect(plan?.places.map(({ place, spots }) => [place, spots.map(({ x, y, seat }) => [x, y, seat])])).toEqual([
      [
        0,
        [
          [0, 2, 0],
          [0, 1, 1],
          [0, 0, null],
        ],
      ],
      [
        1,
        [
          [1, 2, null],
          [1, 1, null],
          [1, 0, null],
        ],
      ],
      [
        2,
        [
          [2, 2, 1],
          [2, 1, null],
          [2, 0, null],
        ],
      ],
    ]);
    expect([plan?.width, plan?.height, plan?.fields]).toEqual([3, 3, ["column"]]);
  });

  test("knows which cells are free", () => {
    expect(plan?.places[2]?.spots.map(({ isFree }) => isFree)).toEqual([false, true, true]);
  });

  test("is as high as its highest column, whatever its hint says", () => {
    const low = planOf(schema({ "x-columns": { rows: 1 } }), { cells: [[0, 1, 0], []] });
    expect([low?.height, low?.fields]).toEqual([3, ["column"]]);
  });
});

describe("places", () => {
  const grid = { "x-grid": { columns: 2, fields: ["from", "to"] } };
  const other = { type: "array", "x-grid": { columns: 1, fields: ["target"] } };
  const root = { type: "object", properties: { own: { type: "array", ...grid }, theirs: other } };
  const fields = placeFields(plansOf(root, { own: [0, null], theirs: [null, 1] }));
  const march = (from: number, to: number, count: number) => ({ type: "march", from, to, count });
  const actions = [march(0, 1, 1), march(0, 1, 2), march(1, 0, 1), { type: "fire", target: 1 }, { type: "pass" }];
  const placing = (draft: View) => placingOf(actions, fields, draft);

  test("of all drawings are chosen in the order of their fields", () => {
    expect(fields.map(({ field, drawing }) => [field, drawing])).toEqual([
      ["from", 0],
      ["to", 0],
      ["target", 1],
    ]);
    expect([0, 1].map((drawing) => [...targetsOf(placing(null), fields, drawing)])).toEqual([[0, 1], [1]]);
  });

  test("leave only what begins with them", () => {
    expect([...targetsOf(placing([[0, 0]]), fields, 0)]).toEqual([1]);
    expect([...targetsOf(placing([[0, 0]]), fields, 1)]).toEqual([]);
    expect(after(placing([[0, 1]]), fields, [0, 0])).toEqual([march(1, 0, 1)]);
  });

  test("leave a choice if several actions name the same ones", () => {
    expect(placing([[0, 0]]).complete).toEqual([]);
    expect(
      placing([
        [0, 0],
        [0, 1],
      ]).complete,
    ).toEqual([march(0, 1, 1), march(0, 1, 2)]);
  });

  test.each<[string, View]>([
    ["that lead to no action", [[1, 0]]],
    ["of an earlier page", [1]],
    ["that are none", { from: 1 }],
  ])("%s are dropped", (_, draft) => {
    expect(placing(draft)).toEqual(placing(null));
    expect(placing(draft).complete).toEqual([]);
  });
});

const SEAT = { anyOf: [{ type: "integer", "x-seat": true }, { type: "null" }] };
const FACE = { type: "integer", "x-symbols": ["", "⚀", "⚁"] };
const VIEW = {
  $ref: "#/$defs/Table",
  $defs: {
    Table: {
      type: "object",
      properties: {
        turn: { type: "integer", "x-hidden": true },
        held: { type: "array", items: { type: "integer" }, "x-by-seat": true },
        bid: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Bid" }] },
        prices: { type: "object", "x-costs": { field: "unit", unit: "gold" } },
        out: { type: "array", items: SEAT },
        owner: SEAT,
      },
    },
    Bid: { type: "object", properties: { type: { enum: ["bid"] }, count: { type: "integer" }, face: FACE } },
  },
};
const LOOKS: Looks = { name: (seat) => ["you", "Ben"][seat ?? 9] ?? "nobody", colour: String, mark: String };

describe("hints", () => {
  const shape = shapeOf(VIEW);

  test("are found with their paths, through references too", () => {
    expect(hintsIn(shape, ["x-hidden", "x-symbols"]).map(({ path }) => path)).toEqual([["turn"], ["bid", "face"]]);
    expect(listsBySeat({ held: [5, 5] }, shape)).toEqual([["held"]]);
    expect(listsBySeat({ held: null }, shape)).toEqual([]);
  });

  test("show seats as players and numbers as symbols", () => {
    const view = { turn: 3, held: [5, 4], bid: { type: "bid", count: 2, face: 1 }, out: [1, 0], owner: 1 };
    expect(textOf(view, shape, LOOKS)).toBe("(turn 3, held 5 4, bid (count 2, face ⚀), out Ben, you, owner Ben)");
    expect(textOf({ owner: null, out: [] }, shape, LOOKS)).toBe("(out –, owner –)");
    expect(fieldTexts({ type: "bid", count: 3, face: 6 }, actionShape(VIEW.$defs.Bid, "bid"), LOOKS)).toEqual([
      "count 3",
      "face 6", // a symbol that is not there
    ]);
  });

  test("give the prices of choices, in one currency or several", () => {
    const price = (prices: View) => pricesIn([{ view: { prices }, shape }]);
    expect(price({ knight: 3 })({ type: "buy", unit: "knight" })).toBe("3 gold");
    expect(price([1, 2])({ type: "buy", unit: 1 })).toBe("2 gold");
    expect(price({ knight: { iron: 2, wood: 0, food: 1 } })({ unit: "knight" })).toBe("2 iron, 1 food");
    expect(price({ knight: 3 })({ type: "buy", unit: "bishop" })).toBe("");
    expect(price({ knight: 3 })({ type: "pass" })).toBe("");
    expect(price(null)({ type: "buy", unit: "knight" })).toBe("");
  });

  test("of actions belong to their type", () => {
    const pass = { type: "object", properties: { type: { enum: ["pass"] } } };
    const actions = { anyOf: [{ $ref: "#/$defs/Bid" }, pass], $defs: VIEW.$defs };
    expect(actionShape(actions, "bid")?.part).toEqual(VIEW.$defs.Bid);
    expect(actionShape(actions, "pass")?.part).toEqual(pass);
    expect([actionShape(actions, "doubt"), actionShape(undefined, "bid")]).toEqual([null, null]);
  });
});

test("marks of players differ", () => {
  const marks = (...names: string[]) => marksOf(names.map((name) => ({ name })));
  expect(marks("Ada", "ben", "")).toEqual(["A", "B", "2"]);
  expect(marks("Random 1", "Ada", "random 2")).toEqual(["R1", "A", "R2"]);
  expect(marks("Ada", "Alan", "Bot 2", "Bert 2")).toEqual(["0", "1", "2", "3"]);
});

test.each([
  ["no schema", undefined, { cells: [1] }],
  ["no hint", schema({}), { cells: [1] }],
  ["no such part of the view", schema({ "x-grid": { columns: 1 } }), { other: 1 }],
  ["nothing to draw yet", schema({ "x-grid": { columns: 1 } }), { cells: [] }],
])("there is no plan with %s", (_, hints, view) => {
  expect(planOf(hints, view as View)).toBeNull();
});
