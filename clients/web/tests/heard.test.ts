/** What a board remembers of a match, also when the page is loaded again. */

import { expect, test, vi } from "vitest";

import { memoryKeep } from "../src/client/identity";
import { Heard } from "../src/room/heard";

test("what a board heard is there again after a reload, in its own room alone", () => {
  const keep = memoryKeep();
  new Heard("2h0bc34", keep).set({ news: [1] });
  expect(new Heard("2h0bc34", keep).value.value).toEqual({ news: [1] });
  expect(new Heard("2h0bc35", keep).value.value).toBeNull();
});

test("what changes nothing is not written again", () => {
  const keep = memoryKeep();
  const written = vi.spyOn(keep, "setItem");
  const heard = new Heard("2h0bc34", keep);
  const known = { news: [] };
  for (let step = 0; step < 5; step++) heard.set(known);
  expect(written).toHaveBeenCalledTimes(1);
});

test("a board that remembers nothing finds nothing after a reload, and can begin to remember", () => {
  const keep = memoryKeep();
  new Heard("2h0bc34", keep).set(undefined);
  const again = new Heard("2h0bc34", keep);
  expect(again.value.value).toBeNull();
  again.set([1]);
  expect(new Heard("2h0bc34", keep).value.value).toEqual([1]);
});

test("what cannot be kept is there until the page is loaded again, and breaks nothing", () => {
  const complaint = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const keep = memoryKeep();
  const round: unknown[] = [];
  round.push(round);
  for (const odd of [1n, round]) {
    const heard = new Heard("2h0bc34", keep);
    heard.set(odd);
    expect(heard.value.value).toBe(odd);
    expect(new Heard("2h0bc34", keep).value.value).toBeNull();
  }
  expect(complaint).toHaveBeenCalledTimes(2);
  complaint.mockRestore();
});
