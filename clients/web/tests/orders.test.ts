/** When something can be ordered on a board. */

import { expect, test } from "vitest";

import type { Asked } from "../src/boards/board";
import { canOrder } from "../src/boards/orders";

function asked(part: Partial<Asked>): Asked {
  return { turn: 7, legal: [], isComplete: true, isSending: false, ...part };
}

test.each([
  ["nothing is asked", null, false],
  ["what may be done is being fetched", asked({ legal: null }), false],
  ["an order is on its way", asked({ isSending: true }), false],
  ["what may be done is known", asked({}), true],
])("while %s", (_, decision, expected) => {
  expect(canOrder(decision)).toBe(expected);
});
