/** The order in which the generic board shows the fields of a view. */

import { describe, expect, test } from "vitest";
import type { View } from "warroom-client";
import { applyPatch } from "warroom-client/wire";
import { keysOf, ordered, shapeOf } from "../src/boards/generic/field_order";

const SCHEMA = {
  $ref: "#/$defs/State",
  $defs: {
    State: {
      type: "object",
      properties: {
        round: { type: "integer" },
        players: { type: "array", items: { $ref: "#/$defs/Player" } },
        last: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Move" }, { $ref: "#/$defs/Trade" }] },
        bank: { type: "object", additionalProperties: { type: "integer" } },
      },
    },
    Player: { type: "object", properties: { name: { type: "string" }, gold: { type: "integer" } } },
    Move: { type: "object", properties: { type: { enum: ["move"] }, to: {}, from: {} } },
    Trade: { type: "object", properties: { type: { enum: ["trade"] }, what: {}, for: {} } },
  },
};

const WHOLE = {
  bank: { wood: 1, iron: 2 },
  last: { for: 3, type: "trade", what: 4 },
  players: [{ gold: 5, name: "Ada" }],
  round: 6,
};

const shown = (view: View, schema?: { readonly [key: string]: View }) => JSON.stringify(ordered(view, shapeOf(schema)));

describe("the fields of a view", () => {
  test("follow the order of the type at any depth; unknown ones are alphabetical", () => {
    expect(shown(WHOLE, SCHEMA)).toBe(
      '{"round":6,"players":[{"name":"Ada","gold":5}],"last":{"type":"trade","what":4,"for":3},"bank":{"iron":2,"wood":1}}',
    );
    expect(keysOf({ zeal: 1, bank: 2, age: 3, round: 4 }, shapeOf(SCHEMA))).toEqual(["round", "bank", "age", "zeal"]);
  });

  test("are alphabetical if the type is unknown", () => {
    expect(keysOf(WHOLE, null)).toEqual(["bank", "last", "players", "round"]);
  });

  test.each([
    ["a known type", SCHEMA],
    ["none", undefined],
  ])("stand as they stood after a whole view came instead of a patched one, with %s", (_, schema) => {
    const { bank: _bank, ...rest } = WHOLE;
    const patched = applyPatch(rest, [
      [["last"]],
      [["bank"], { wood: 1 }],
      [["bank", "iron"], 2],
      [["last"], { type: "trade", what: 4, for: 3 }],
    ]);
    expect(Object.keys(patched as object)).not.toEqual(Object.keys(WHOLE));
    expect(shown(patched, schema)).toBe(shown(WHOLE, schema));
  });
});
