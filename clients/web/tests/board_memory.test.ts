/** The board's memory of a match, also after a reload. */

import { expect, test, vi } from "vitest";

import { memoryStore } from "../src/client/identity";
import { BoardMemory } from "../src/room/board_memory";

test("a board's memory survives a reload, in its own room only", () => {
  const store = memoryStore();
  new BoardMemory("2h0bc34", store).set({ news: [1] });
  expect(new BoardMemory("2h0bc34", store).value.value).toEqual({ news: [1] });
  expect(new BoardMemory("2h0bc35", store).value.value).toBeNull();
});

test("an unchanged memory is not written again", () => {
  const store = memoryStore();
  const written = vi.spyOn(store, "setItem");
  const memory = new BoardMemory("2h0bc34", store);
  const known = { news: [] };
  for (let step = 0; step < 5; step++) memory.set(known);
  expect(written).toHaveBeenCalledTimes(1);
});

test("a board that remembers nothing finds nothing after a reload, and can begin to remember", () => {
  const store = memoryStore();
  new BoardMemory("2h0bc34", store).set(undefined);
  const again = new BoardMemory("2h0bc34", store);
  expect(again.value.value).toBeNull();
  again.set([1]);
  expect(new BoardMemory("2h0bc34", store).value.value).toEqual([1]);
});

test("a memory that cannot be stored lasts until a reload, and breaks nothing", () => {
  const complaint = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const store = memoryStore();
  const round: unknown[] = [];
  round.push(round);
  for (const odd of [1n, round]) {
    const memory = new BoardMemory("2h0bc34", store);
    memory.set(odd);
    expect(memory.value.value).toBe(odd);
    expect(new BoardMemory("2h0bc34", store).value.value).toBeNull();
  }
  expect(complaint).toHaveBeenCalledTimes(2);
  complaint.mockRestore();
});
