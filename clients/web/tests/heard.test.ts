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
