/** Notes: those with a link stay longest. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => void vi.stubGlobal("location", { protocol: "http:", host: "localhost" }));
afterEach(() => void vi.unstubAllGlobals());

test("one that leads somewhere is not pushed out by those that go by themselves", async () => {
  const { note, notes } = await import("../src/state");
  note("to the match", false, { at: "room", code: "2h0bc34" });
  for (const text of ["one", "two", "three"]) note(text);
  expect(notes.value.map((each) => each.text)).toEqual(["to the match", "two", "three"]);
});
