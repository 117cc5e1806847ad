/** When orders are possible on a board, and whose move it is. */

import { expect, test } from "vitest";

import type { Asked } from "../src/boards/board";
import { canOrder, toMove } from "../src/boards/orders";
import { makeTable } from "../src/room/table";

function asked(part: Partial<Asked>): Asked {
  return { turn: 7, legal: [], notes: [], isComplete: true, isSending: false, ...part };
}

test.each([
  ["nothing is asked", null, false],
  ["what may be done is being fetched", asked({ legal: null }), false],
  ["an order is on its way", asked({ isSending: true }), false],
  ["what may be done is known", asked({}), true],
])("while %s", (_, decision, expected) => {
  expect(canOrder(decision)).toBe(expected);
});

test.each([
  [false, ["You are to move.", "Ada is to move."]],
  [true, ["The match is over.", "The match is over."]],
])("the player to move is named during the match, over: %s", (isOver, expected) => {
  const seats = ["Bob", "Ada"].map((name, seat) => ({ seat, name, isYou: seat === 0 }));
  const table = makeTable("strata", {}, seats, 0, isOver);
  expect([0, 1].map((seat) => toMove(table, seat))).toEqual(expected);
});
