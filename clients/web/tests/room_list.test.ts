/** The room list: what the server pushes, and what is loaded beyond that. */

import { batch, signal } from "@preact/signals";
import { beforeEach, describe, expect, test } from "vitest";

import { type Listed, RejectedError, type RoomListing, type Session } from "warroom-client";
import { Line, newSession } from "../../js/tests/fake_server.js";
import { begun, changed, continued, FULL_LIST, type Listing } from "../src/client/live_rooms";
import { RoomList } from "../src/client/room_list";

const room = (number: number, taken = 1): RoomListing => ({
  ...{ room: number, code: "", game: "g", phase: "lobby", seats: 2, taken, watching: 0, turn_ms: 1000 },
  ...{ players: [], watch: "public", delay: 0, rated: false },
});
/** The rooms from one number down to another, newest first. */
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => room(from - index));
const change = (rooms: readonly RoomListing[], ...gone: number[]): Listed => ({ type: "listed", rooms, gone });
const numbers = (listing: Listing) => listing.rooms.map((each) => each.room);
const numbered = (from: number, to: number) => down(from, to).map((each) => each.room);

describe("the list", () => {
  test("new rooms come first, changed ones keep their place, removed ones disappear", () => {
    const listing = changed(begun(down(3, 1)), change([room(5), room(4), room(2, 2)], 1));
    expect(numbers(listing)).toEqual([5, 4, 3, 2]);
    expect(listing.rooms[3]?.taken).toBe(2);
    expect(listing.mayBeMore).toBe(false);
  });

  test.each([
    [FULL_LIST - 1, false],
    [FULL_LIST, true],
  ])("after %i rooms there may be more: %s", (count, mayBeMore) => {
    expect(begun(down(count, 1)).mayBeMore).toBe(mayBeMore);
  });

  test("older ones follow the last, each once, and less than a full list of them is the end", () => {
    const listing = continued(begun(down(300, 201)), 201, [room(201), ...down(200, 150)], false);
    expect(numbers(listing)).toEqual(numbered(300, 150));
    expect(listing.mayBeMore).toBe(false);
    expect(continued(listing, 150, down(149, 50), true).mayBeMore).toBe(true);
  });

  test("rooms beyond the live part are reloaded, whatever was added before them", () => {
    const whole = continued(begun(down(300, 201)), 201, down(200, 150), true);
    const later = changed(whole, change([room(301)], 201, 250));
    const anew = continued(later, 201, [...down(200, 171), room(170, 2)], false);
    expect(numbers(anew)).toEqual(numbered(301, 170).filter((each) => each !== 250));
    expect(anew.rooms.at(-1)).toEqual(room(170, 2));
    expect(anew.mayBeMore).toBe(false);
  });

  test("rooms after a removed one are appended once each", () => {
    const listing = changed(continued(begun(down(300, 201)), 201, down(200, 150), true), change([], 250));
    const longer = continued(listing, 250, down(249, 100), false);
    expect(numbers(longer)).toEqual(numbered(300, 100).filter((each) => each !== 250));
    expect(longer.mayBeMore).toBe(false);
  });

  test("a list restarted after a break reaches as far as before", () => {
    const whole = continued(begun(down(300, 201)), 201, down(200, 150), false);
    const anew = begun(down(302, 203), whole);
    expect(numbers(anew)).toEqual([...numbered(302, 203), ...numbered(200, 150)]);
    expect(anew.mayBeMore).toBe(false);
    expect(numbers(continued(anew, 203, down(202, 150), false))).toEqual(numbered(302, 150));
    expect(begun(down(300, 201), begun(down(299, 200)))).toEqual(begun(down(300, 201)));
  });

  test("a restarted list that is not full is complete", () => {
    const whole = continued(begun(down(300, 201)), 201, down(200, 150), true);
    expect(begun(down(3, 1), whole)).toEqual(begun(down(3, 1)));
  });

  test("rooms that are pushed out of the list by newer ones may be asked for", () => {
    const listing = changed(begun(down(99, 1)), change([room(101), room(100)], 1));
    expect(numbers(listing)).toEqual(numbered(101, 2));
    expect(listing.mayBeMore).toBe(true);
  });

  test("rooms that are pushed out stay where older ones were asked for", () => {
    const whole = continued(begun(down(300, 201)), 201, down(200, 150), false);
    const listing = changed(whole, change([room(302), room(301)], 202, 201));
    expect(numbers(listing)).toEqual(numbered(302, 150));
  });

  test("rooms that rise for others that are over stay in their place", () => {
    const whole = continued(begun(down(300, 201)), 201, down(200, 150), false);
    const listing = changed(whole, change([room(200, 2)], 250));
    expect(numbers(listing)).toEqual(numbered(300, 150).filter((each) => each !== 250));
    expect(listing.rooms[FULL_LIST - 1]).toEqual(room(200, 2));
  });
});

describe("asking for more", () => {
  let line: Line;
  let session: Session;
  let list: RoomList;

  const answer = (rooms: readonly RoomListing[]): void =>
    line.say({ type: "rooms", ref: line.last("older").ref, rooms });
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const shown = () => list.rooms.value?.map((each) => each.room);

  beforeEach(() => {
    line = new Line();
    session = newSession(() => line, undefined, undefined, { cell: signal, batch });
    list = new RoomList(session);
    list.rooms.subscribe(() => undefined);
    session.start();
    line.welcome();
    line.say({ type: "rooms", ref: line.last("rooms").ref, rooms: down(300, 201) });
  });

  test("the server tells of the rooms while something shows them, and not after the last of those has gone", async () => {
    const late = new RoomList(session);
    expect(line.count("rooms")).toBe(1);
    const close = [late.rooms, late.mayBeMore].map((shown) => shown.subscribe(() => undefined));
    expect(line.count("rooms")).toBe(2);
    line.say({ type: "rooms", ref: line.last("rooms").ref, rooms: down(2, 1) });
    close[0]?.();
    line.say(change([room(3)]));
    expect(late.rooms.value).toEqual(down(3, 1));
    expect(line.count("rooms")).toBe(2);
    close[1]?.();
    expect(line.last("rooms")).toMatchObject({ game: "", live: false });
    line.say({ type: "rooms", ref: line.last("rooms").ref, rooms: [] });
    expect(late.rooms.value).toEqual(down(3, 1));
    late.rooms.subscribe(() => undefined);
    expect(line.last("rooms").live).toBe(true);
    line.say({ type: "rooms", ref: line.last("rooms").ref, rooms: down(4, 2) });
    expect(late.rooms.value).toEqual(down(4, 2));
  });

  test("a reconnect requests the rooms only if a screen shows them", () => {
    const other = new RoomList(session);
    other.rooms.subscribe(() => undefined)();
    const before = line.count("rooms");
    session.restart();
    line.welcome();
    expect(line.count("rooms")).toBe(before + 1);
    expect(line.last("rooms").live).toBe(true);
  });

  test("older rooms are appended even if the last one disappears meanwhile", async () => {
    const asking = list.older();
    expect(line.last("older").before).toBe(201);
    line.say(change([], 201));
    answer(down(200, 150));
    await asking;
    expect(shown()).toEqual([...numbered(300, 202), ...numbered(200, 150)]);
    expect(list.mayBeMore.value).toBe(false);
  });

  test("older rooms are refreshed one request at a time, and loading more waits for it", async () => {
    const first = list.older();
    answer(down(200, 101));
    await first;
    void list.refresh();
    void list.refresh();
    const more = list.older();
    await settle();
    expect(line.count("older")).toBe(2);
    expect(line.last("older").before).toBe(201);
    answer(down(200, 111));
    await settle();
    expect(line.last("older").before).toBe(111);
    answer(down(100, 91));
    await more;
    expect(line.count("older")).toBe(3);
    expect(shown()).toEqual([...numbered(300, 111), ...numbered(100, 91)]);
  });

  test("a refusal reaches its caller and does not block the next request", async () => {
    const asking = list.older();
    line.say({ type: "error", ref: line.last("older").ref, code: "room.unknown", detail: "there is no such room" });
    await expect(asking).rejects.toEqual(new RejectedError("room.unknown", "there is no such room"));
    const again = list.older();
    await settle();
    answer(down(200, 150));
    await again;
    expect(shown()).toEqual(numbered(300, 150));
  });
});
