/** Drafts: the decision they belong to, and their lifetime. */

import { expect, test } from "vitest";
import type { View } from "warroom-client";
import { memoryStore } from "../src/client/identity";
import { Draft } from "../src/room/draft";

const PLAN = { attack: { target: 2 } };

function draftFor(turn: number | null, store = memoryStore()): Draft {
  const draft = new Draft("2h0bc34", () => store);
  draft.follow(turn);
  return draft;
}

test("a draft stays while its decision is open, also over a break of the line", () => {
  const draft = draftFor(1);
  draft.set(PLAN);
  for (const turn of [1, null, 1]) draft.follow(turn);
  expect(draft.value.value).toEqual(PLAN);
});

test("a draft is dropped with its decision", () => {
  const draft = draftFor(1);
  draft.set(PLAN);
  for (const turn of [null, 2]) draft.follow(turn);
  expect(draft.value.value).toBeNull();
});

const LATER = { attack: { target: 3 } };
const BOTH = { ...PLAN, workers: { mine: 1 } };

test.each([
  ["all that was sent with it", BOTH, null, (draft: View) => draft, null],
  ["what was sent with it, and leaves the rest", BOTH, ["attack"], (draft: View) => draft, { workers: { mine: 1 } }],
  ["nothing that was not sent with it", BOTH, [], (draft: View) => draft, BOTH],
  ["nothing that was composed since", PLAN, null, () => LATER, LATER],
  ["no field that was composed since", BOTH, ["attack"], () => ({ ...BOTH, ...LATER }), { ...BOTH, ...LATER }],
  ["what was sent, where another field was composed since", PLAN, ["attack"], () => BOTH, { workers: { mine: 1 } }],
])("an order that is accepted takes %s", (_, composed, fields, change, kept) => {
  for (const isNextKnown of [false, true]) {
    const draft = draftFor(1);
    draft.set(composed);
    draft.send(fields);
    draft.set(change(draft.value.value));
    draft.follow(null);
    if (isNextKnown) draft.follow(2); // after a break the next decision may arrive before the verdict
    draft.settle(true);
    expect(draft.value.value).toEqual(kept);
    draft.follow(2);
    expect(draft.value.value).toEqual(kept);
    for (const turn of [null, 3]) draft.follow(turn);
    expect(draft.value.value).toBeNull();
  }
});

test("a refused order keeps the draft, unless its decision is over", () => {
  const draft = draftFor(1);
  draft.set(PLAN);
  draft.send(null);
  draft.set(LATER);
  draft.settle(false);
  expect(draft.value.value).toEqual(LATER);
  draft.send(null);
  draft.follow(2);
  draft.settle(false);
  expect(draft.value.value).toBeNull();
});

test.each([
  ["of the same decision", 1, 1, PLAN],
  ["of another decision", 1, 2, null],
  ["for the next decision", null, 2, PLAN],
])("a page that is loaded again has a draft %s as it should", (_, before, after, kept) => {
  const store = memoryStore();
  draftFor(before, store).set(PLAN);
  expect(draftFor(after, store).value.value).toEqual(kept);
});

test("a browser that keeps nothing still composes", () => {
  const draft = new Draft("2h0bc34", () => {
    throw new Error("denied");
  });
  draft.set(PLAN);
  expect(draft.value.value).toEqual(PLAN);
});
