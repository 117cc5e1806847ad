/** The player's own rooms in the lobby. */

import { batch, signal } from "@preact/signals";
import { expect, test } from "vitest";

import { type SeatState, type Session, WarroomError } from "warroom-client";
import { Line, newSession, ROOM } from "../../js/tests/fake_server.js";
import { ownFirst, type Row } from "../src/lists/own_rooms";

const ADA = { player: "ada", name: "Ada", bot: null };
const BOB = { player: "bob", name: "Bob", bot: null };
const NOT_OURS: Row = {
  ...{ room: 8, code: "0000008", game: "g", phase: "playing" },
  ...{ seats: 2, taken: 1, turn_ms: 1000, players: [BOB] },
};
const OURS: Row = { ...NOT_OURS, room: 9, code: "0000009", players: [ADA] };

function seat(at: number, who: typeof ADA | null): SeatState {
  const usual = { connected: true, out: false, bot: null, stood_in: false, grace: null, kept: null, hired: false };
  return { seat: at, player: null, name: "", ...who, ...usual };
}

/** Enter a private room, which is in no list. */
async function enter(as: "join" | "watch"): Promise<Session> {
  const line = new Line();
  const session = newSession(() => line, undefined, undefined, { cell: signal, batch });
  session.start();
  line.welcome();
  const entering = session.enter(ROOM, "key", as);
  await Promise.resolve();
  line.admit();
  await entering;
  const seats = [seat(0, ADA), seat(1, null)];
  line.say({ type: "seats", room: ROOM, phase: "playing", host: "ada", seats, watching: 0 });
  return session;
}

test("own rooms come first, including private ones that the page holds", async () => {
  const { rooms } = await enter("join");
  const [held, ...listed] = ownFirst([NOT_OURS, OURS], rooms.values(), "ada");
  expect(held).toMatchObject({ room: ROOM, code: "0000007-key", phase: "playing", seats: 2, taken: 1, players: [ADA] });
  expect(listed).toEqual([OURS, NOT_OURS]);
});

test("a listed room appears once; watched and closed rooms do not appear", async () => {
  const { rooms } = await enter("join");
  const known = { ...NOT_OURS, room: ROOM };
  expect(ownFirst([known], rooms.values(), "ada")).toEqual([known]);
  rooms.get(ROOM)?.close(new WarroomError("gone", "it is gone"));
  expect(ownFirst([], rooms.values(), "ada")).toEqual([]);
  expect(ownFirst([], (await enter("watch")).rooms.values(), "ada")).toEqual([]);
});
