/** The draft of the generic board. */

import { expect, test } from "vitest";
import type { View } from "warroom-client";
import type { Asked } from "../src/boards/board";
import { draftField, type Fields, notesOf, stillOpen, withDraftField } from "../src/boards/generic/draft_fields";

test("changing one field keeps the others", () => {
  const draft = withDraftField(withDraftField(null, "places", [1]), "form", { type: "charge", values: { fare: 255 } });
  const again = withDraftField(draft, "places", []);
  expect(draftField(again, "form")).toEqual({ type: "charge", values: { fare: 255 } });
  expect(draftField(again, "places")).toEqual([]);
});

test.each([
  ["of a page before this one", "a text"],
  ["that is empty", null],
])("a draft %s holds nothing", (_, draft) => {
  expect(draftField(draft, "form")).toBeNull();
});

const NAMES = ["island", "crates"];
const LOADS = [
  { type: "load", island: 1, crates: 1 },
  { type: "load", island: 1, crates: 2 },
  { type: "load", island: 3, crates: 4 },
  { type: "load", island: null, crates: 4 },
];

test.each<[string, View, View]>([
  ["nothing", null, {}],
  ["all that fits", { island: 1, crates: 2 }, { island: 1, crates: 2 }],
  ["what comes before the first that does not fit", { island: 3, crates: 2 }, { island: 3 }],
  ["nothing after something that is gone", { island: 2, crates: 4 }, {}],
  ["a later field alone", { crates: 4 }, { crates: 4 }],
  ["nobody, where that is a choice", { island: null }, { island: null }],
])("of what was chosen stays %s", (_, choices, kept) => {
  expect(stillOpen(LOADS, NAMES, choices)).toEqual(kept);
});

test("a note is found by the action that it is on", () => {
  const [first, second, third] = LOADS;
  const asked = { turn: 1, legal: [first, second], notes: ["", "2 → 1"], isComplete: true, isSending: false };
  expect([first, second, third].map((action) => notesOf(asked as Asked)(action as Fields))).toEqual(["", "2 → 1", ""]);
  expect(notesOf({ ...asked, notes: null } as Asked)(second as Fields)).toBe("");
  expect(notesOf(null)(second as Fields)).toBe("");
});
