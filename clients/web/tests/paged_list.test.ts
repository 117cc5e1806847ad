/** Paged lists, from a server that may refuse. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RejectedError } from "warroom-client";
import { HEALING_MS } from "../../js/src/backoff.js";
import { Paged } from "../src/client/paged_list";

const BUSY = new RejectedError("store.unavailable", "the store does not answer");
const BROKEN = new RejectedError("internal", "this should not have happened");

/** The outcome of each page in turn: numbers, or an error. */
function paged(...parts: (readonly number[] | RejectedError)[]): Paged<number> {
  const left = [...parts];
  return new Paged(async (known) => {
    const part = left.shift();
    if (part === undefined || part instanceof RejectedError) throw part;
    expect(known.every((each) => !part.includes(each))).toBe(true);
    return { rows: part, isMore: left.length > 0 };
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("each part follows those before it, and the last is the end", async () => {
  const list = paged([1, 2], [3]);
  expect(list.pages.value).toEqual({ rows: null, isMore: true, isBusy: false, trouble: "" });
  await list.more();
  expect(list.pages.value).toEqual({ rows: [1, 2], isMore: true, isBusy: false, trouble: "" });
  await list.more();
  expect(list.pages.value).toEqual({ rows: [1, 2, 3], isMore: false, isBusy: false, trouble: "" });
});

test("a refused page keeps the earlier ones and can be requested again", async () => {
  const list = paged([1], BROKEN, [2]);
  await list.more();
  await list.more();
  const trouble = "This should not have happened.";
  expect(list.pages.value).toEqual({ rows: [1], isMore: true, isBusy: false, trouble });
  await list.more();
  expect(list.pages.value).toMatchObject({ rows: [1, 2], trouble: "" });
});

test("a temporary refusal is retried, and the user is told", async () => {
  const list = paged(BUSY, BUSY, [1]);
  const asking = list.more();
  await vi.advanceTimersByTimeAsync(1);
  expect(list.pages.value).toMatchObject({ rows: null, isBusy: true });
  expect(list.pages.value.trouble).toMatch("Retrying");
  await vi.advanceTimersByTimeAsync(HEALING_MS);
  await asking;
  expect(list.pages.value).toEqual({ rows: [1], isMore: false, isBusy: false, trouble: "" });
});

test("a page is requested once, and not for a list that is closed", async () => {
  const fetch = vi.fn(async () => Promise.reject(BUSY));
  const list = new Paged<number>(fetch);
  void list.more();
  void list.more();
  await vi.advanceTimersByTimeAsync(1);
  expect(fetch).toHaveBeenCalledTimes(1);
  list.end();
  await vi.advanceTimersByTimeAsync(10 * HEALING_MS);
  expect(fetch).toHaveBeenCalledTimes(1);
});
