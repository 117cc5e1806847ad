/** Rooms that several screens show, in sequence or at once, in any phase of entering. */

import { batch, signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RejectedError, type Session } from "warroom-client";
import { checksum } from "warroom-client/wire";
import { HEALING_MS } from "../../js/src/backoff.js";
import { Line, newSession, ROOM } from "../../js/tests/fake_server.js";
import { NOWHERE, SharedRooms, type Visit } from "../src/client/shared_rooms";

let line: Line;
let session: Session;
let visits: SharedRooms;

/** A screen that shows the room to a spectator. */
class Screen {
  visit: Visit = NOWHERE;
  readonly close = visits.begin(
    ROOM,
    null,
    (enter) => enter("watch"),
    (visit) => {
      this.visit = visit;
    },
  );

  /** What it shows: the number in the view, or null before it arrives. */
  get shown(): unknown {
    return this.visit.room?.state.public ?? null;
  }
}

/** Let pending messages arrive. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

async function admit(): Promise<void> {
  line.admit();
  await settle();
}

async function refuse(code: string): Promise<void> {
  line.say({ type: "error", ref: line.last("watch").ref, code, detail: code });
  await settle();
}

/** A step of the match, which only a held room receives. */
function step(n: number): void {
  const clock = { at: 0, turn: 1, deadline: 1000, banks: [] };
  line.say({ type: "update", room: ROOM, p: n + 1, patch: [[["n"], n]], events: [], clock, sum: checksum({ n }) });
}

beforeEach(() => {
  vi.useFakeTimers();
  line = new Line();
  session = newSession(() => line, undefined, undefined, { cell: signal, batch });
  visits = new SharedRooms(session);
  session.start();
  line.welcome();
});

afterEach(() => {
  vi.useRealTimers();
});

test("a screen that follows another before the room was entered keeps it", async () => {
  const first = new Screen();
  first.close();
  const second = new Screen();
  expect(second.shown).toBeNull();
  await admit();
  step(1);
  expect(second.shown).toEqual({ n: 1 });
  expect([line.count("watch"), line.count("leave")]).toEqual([1, 0]);
  second.close();
  await settle();
  expect(line.count("leave")).toBe(1);
});

test.each([true, false])(
  "a refusal that passes holds up each screen, and each gets in (the first stays: %s)",
  async (stays) => {
    const first = new Screen();
    const second = new Screen();
    if (!stays) first.close();
    await refuse("store.unavailable");
    expect(first.visit.isHeldUp).toBe(stays);
    expect(second.visit).toEqual(NOWHERE);
    expect(line.count("watch")).toBe(2);
    await refuse("room.busy");
    expect(second.visit.isHeldUp).toBe(true);
    await vi.advanceTimersByTimeAsync(HEALING_MS);
    await admit();
    step(1);
    expect(first.shown).toEqual(stays ? { n: 1 } : null);
    expect(second.shown).toEqual({ n: 1 });
  },
);

test("a permanent refusal reaches each screen", async () => {
  const screens = [new Screen(), new Screen()];
  await refuse("watch.nobody");
  await refuse("watch.nobody");
  const error = new RejectedError("watch.nobody", "watch.nobody");
  expect(screens.map((each) => each.visit)).toEqual([
    { ...NOWHERE, error },
    { ...NOWHERE, error },
  ]);
  expect(session.rooms.size).toBe(0);
});

test("of two screens that show a room, the last one leaves it", async () => {
  const first = new Screen();
  await admit();
  const second = new Screen();
  await settle();
  first.close();
  step(1);
  expect(second.shown).toEqual({ n: 1 });
  expect(line.count("leave")).toBe(0);
  second.close();
  await settle();
  expect(line.count("leave")).toBe(1);
  expect(session.rooms.size).toBe(0);
});

test("a room that is no longer wanted is left right after the entry", async () => {
  new Screen().close();
  expect(line.count("leave")).toBe(0);
  await admit();
  expect(line.count("leave")).toBe(1);
  expect(session.rooms.size).toBe(0);
});

test("a player keeps the seat, whatever happened while watching", async () => {
  new Screen().close();
  const joining = session.enter(ROOM, null, "join");
  await admit();
  expect(line.sent.slice(-3).map(({ type }) => type)).toEqual(["watch", "leave", "join"]);
  await admit();
  const room = await joining;
  new Screen().close();
  await settle();
  step(1);
  expect(room.state).toMatchObject({ seat: 0, public: { n: 1 } });
  expect(line.count("leave")).toBe(1);
});

test("a player leaves with the last screen only after the match, and may return", async () => {
  const joining = session.enter(ROOM, null, "join");
  await admit();
  await joining;
  new Screen().close();
  await settle();
  expect(line.count("leave")).toBe(0);
  const shown = [new Screen(), new Screen()];
  await settle();
  const seal = { seed: "00", chain: "11", detail: "", rated: false, left: [] };
  line.say({ type: "ended", room: ROOM, ranks: [1, 2], reason: "victory", ...seal });
  shown[0]?.close();
  line.say({ type: "moved", room: ROOM, to: 8, code: "0000008", key: null });
  await settle();
  expect(shown[1]?.visit.room?.state.moved?.to).toBe(8);
  expect(line.count("leave")).toBe(0);
  shown[1]?.close();
  await settle();
  expect(line.count("leave")).toBe(1);
  expect(session.rooms.size).toBe(0);
  const back = new Screen();
  await admit();
  expect(back.shown).toEqual({ n: 0 });
});

test("a match that ended while nothing showed it is left with the next screen that closes", async () => {
  const joining = session.enter(ROOM, null, "join");
  await admit();
  await joining;
  const seal = { seed: "00", chain: "11", detail: "", rated: false, left: [] };
  line.say({ type: "ended", room: ROOM, ranks: [1, 2], reason: "victory", ...seal });
  visits.begin(
    ROOM + 1,
    null,
    (enter) => enter("watch"),
    () => undefined,
  )();
  await settle();
  expect(line.last("leave").room).toBe(ROOM);
});

test("a room closed by a bug is entered anew instead of shown again", async () => {
  const first = new Screen();
  await admit();
  line.say({ type: "notice", room: ROOM, code: "internal", detail: "closed because of a bug" });
  const second = new Screen();
  await admit();
  expect(first.visit.room?.closed?.message).toBe("closed because of a bug");
  expect(second.visit.room?.closed).toBeNull();
  expect(second.shown).toEqual({ n: 0 });
});
