/** What is half composed: for which decision, and for how long. */

import { expect, test } from "vitest";

import { memoryKeep } from "../src/client/identity";
import { Draft } from "../src/room/draft";

const PLAN = { attack: { target: 2 } };

function draftFor(turn: number | null, keep = memoryKeep()): Draft {
  const draft = new Draft("2h0bc34", () => keep);
  draft.follow(turn);
  return draft;
}

test("a draft stays while its decision is open, also over a break of the line", () => {
  const draft = draftFor(1);
  draft.set(PLAN);
  for (const turn of [1, null, 1]) draft.follow(turn);
  expect(draft.value.value).toEqual(PLAN);
});

test("a draft goes with its decision", () => {
  const draft = draftFor(1);
  draft.set(PLAN);
  for (const turn of [null, 2]) draft.follow(turn);
  expect(draft.value.value).toBeNull();
});

test("what is put back after an order was accepted is for the next decision, and for that one alone", () => {
  const draft = draftFor(1);
  draft.set(PLAN);
  draft.follow(null);
  draft.set(null);
  draft.set(PLAN);
  draft.follow(2);
  expect(draft.value.value).toEqual(PLAN);
  for (const turn of [null, 3]) draft.follow(turn);
  expect(draft.value.value).toBeNull();
});

test.each([
  ["of the same decision", 1, 1, PLAN],
  ["of another decision", 1, 2, null],
  ["for the next decision", null, 2, PLAN],
])("a page that is loaded again has a draft %s as it should", (_, before, after, kept) => {
  const keep = memoryKeep();
  draftFor(before, keep).set(PLAN);
  expect(draftFor(after, keep).value.value).toEqual(kept);
});

test("a browser that keeps nothing still composes", () => {
  const draft = new Draft("2h0bc34", () => {
    throw new Error("denied");
  });
  draft.set(PLAN);
  expect(draft.value.value).toEqual(PLAN);
});
