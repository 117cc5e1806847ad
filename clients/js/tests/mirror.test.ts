/** The copy of a room: each step once and in order, joint changes as one, gaps and drift noticed. */

import { describe, expect, test } from "vitest";

import { left, roomTime } from "../src/clock.js";
import type { Clock, ServerMessage, View } from "../src/generated/messages.js";
import { Mirror } from "../src/mirror.js";
import { checksum } from "../src/wire/canonical.js";
import { ABOUT, ROOM } from "./fake_server.js";

const CLOCK: Clock = { at: 0, turn: 1, deadline: 30_000, banks: [] };

function joined(type: "joined" | "resumed" = "joined", life = 1): ServerMessage {
  return { type, ref: 1, room: ROOM, code: "0000007", life, seat: 0, seat_token: "t", about: ABOUT };
}

function snapshot(open: View, own: View = null, p = 1, q = 0): ServerMessage {
  const sums = { public_sum: checksum(open), private_sum: checksum(own) };
  return { type: "snapshot", room: ROOM, life: 1, p, q, public: open, private: own, clock: CLOCK, ...sums };
}

function update(p: number, patch: View, sum: number | null = null, clock: Clock | null = CLOCK): ServerMessage {
  return { type: "update", room: ROOM, p, patch, events: [{ type: "step", p }], clock, sum };
}

function secret(q: number, p: number, joint: boolean, patch: View): ServerMessage {
  return { type: "private", room: ROOM, q, p, joint, patch, events: [{ type: "own", q }], sum: null };
}

function entered(open: View = { n: 1 }, own: View = { hand: [1] }): Mirror {
  const mirror = new Mirror("ada");
  mirror.receive(joined(), 0);
  mirror.receive(snapshot(open, own), 0);
  return mirror;
}

describe("the streams", () => {
  test("an update changes the view and tells its events", () => {
    const mirror = entered();
    const { step } = mirror.receive(update(2, [[["n"], 2]]), 0);
    expect(step).toMatchObject({ public: { n: 2 }, events: [{ type: "step", p: 2 }], secrets: [], isFresh: false });
    expect(mirror.position).toEqual({ life: 1, p: 2, q: 0 });
  });

  test("a joint private step is held back and shown with its update", () => {
    const mirror = entered();
    expect(mirror.receive(secret(1, 2, true, [[["hand"], 0, []]]), 0)).toEqual({});
    expect(mirror.position).toEqual({ life: 1, p: 1, q: 0 });
    const { step } = mirror.receive(update(2, [[["n"], 2]]), 0);
    expect(step).toMatchObject({ public: { n: 2 }, private: { hand: [] }, secrets: [{ type: "own", q: 1 }] });
  });

  test("a private step of its own leaves the public view alone", () => {
    const mirror = entered();
    const { step } = mirror.receive(secret(1, 1, false, [[["hand"], 1, [2]]]), 0);
    expect(step).toMatchObject({ public: { n: 1 }, private: { hand: [1, 2] } });
  });

  test("repeated steps are ignored", () => {
    const mirror = entered();
    expect(mirror.receive(update(1, [[["n"], 9]]), 0)).toEqual({});
    expect(mirror.public).toEqual({ n: 1 });
  });

  test.each([
    ["a public number", update(3, [])],
    ["a private number", secret(2, 1, false, [])],
    ["a private step ahead of its update", secret(1, 3, true, [])],
  ])("%s that was passed over asks for a snapshot", (_, message) => {
    const mirror = entered();
    expect(mirror.receive(message, 0)).toEqual({ resync: "view.gap" });
    expect(mirror.position).toBeNull();
    expect(mirror.receive(update(2, [[["n"], 2]]), 0)).toEqual({});
    mirror.receive(snapshot({ n: 5 }, null, 5, 3), 0);
    expect(mirror.position).toEqual({ life: 1, p: 5, q: 3 });
  });

  test("a wrong sum asks once, heals with the snapshot, and tells the second time", () => {
    const mirror = entered();
    expect(mirror.receive(update(2, [[["n"], 2]], 1), 0).resync).toBe("view.drift");
    mirror.receive(snapshot({ n: 2 }, { hand: [1] }, 2), 0);
    expect(mirror.hasDrifted).toBe(false);
    expect(mirror.receive(update(3, [[["n"], 3]], 1), 0).resync).toBeUndefined();
    expect(mirror.hasDrifted).toBe(true);
  });

  test("a right sum forgives the wrong one before", () => {
    const mirror = entered();
    mirror.receive(update(2, [[["n"], 2]], 1), 0);
    mirror.receive(snapshot({ n: 2 }, { hand: [1] }, 2), 0);
    mirror.receive(update(3, [[["n"], 3]], checksum({ n: 3 })), 0);
    expect(mirror.receive(update(4, [[["n"], 4]], 1), 0).resync).toBe("view.drift");
  });

  test("a patch that does not fit is a drift", () => {
    expect(entered().receive(update(2, [[["x", "y"], 2]]), 0).resync).toBe("view.drift");
  });

  test("a resume of another life asks for a snapshot", () => {
    expect(entered().receive(joined("resumed", 2), 0)).toEqual({ resync: "view.gap" });
  });

  test("a resume drops held parts, because they are sent again", () => {
    const mirror = entered();
    mirror.receive(secret(1, 2, true, [[["hand"], 0, []]]), 0);
    mirror.receive(joined("resumed"), 0);
    mirror.receive(secret(1, 2, true, [[["hand"], 0, []]]), 0);
    expect(mirror.receive(update(2, []), 0).step?.private).toEqual({ hand: [] });
  });
});

describe("unnumbered messages", () => {
  const prompt: ServerMessage = { type: "prompt", room: ROOM, seat: 0, turn: 4, at: 10_000, deadline: 40_000 };

  test("a new turn forgets the prompt of the old one", () => {
    const mirror = entered();
    mirror.receive(prompt, 0);
    mirror.receive(update(2, [], null, { ...CLOCK, turn: 1 }), 0);
    expect(mirror.prompt?.turn).toBe(4);
    mirror.receive(update(3, [], null, { ...CLOCK, turn: 2 }), 0);
    expect(mirror.prompt).toBeNull();
  });

  test("an accepted action answers its own decision only", () => {
    const mirror = entered();
    mirror.receive(prompt, 0);
    mirror.answered(3);
    expect(mirror.prompt?.turn).toBe(4);
    mirror.answered(4);
    expect(mirror.prompt).toBeNull();
  });

  test("a decision that is not prompted again after a break was made elsewhere", () => {
    const mirror = entered();
    mirror.receive(prompt, 0);
    mirror.receive(joined("resumed"), 0);
    mirror.receive(prompt, 0);
    mirror.receive(seated("playing", "ada", "bob"), 0);
    expect(mirror.prompt?.turn).toBe(4);
    mirror.receive(joined("resumed"), 0);
    expect(mirror.prompt?.turn).toBe(4);
    mirror.receive(seated("playing", "ada", "bob"), 0);
    expect(mirror.prompt).toBeNull();
  });

  test("the clock runs between messages and stops in a pause", () => {
    const mirror = entered();
    mirror.receive(prompt, 1000);
    expect(roomTime(mirror.clock, 1500)).toBe(10_500);
    mirror.receive({ type: "paused", room: ROOM, at: 12_000, reason: "agreed", left_ms: 60_000 }, 3000);
    expect(roomTime(mirror.clock, 9000)).toBe(12_000);
    mirror.receive({ type: "paused", room: ROOM, at: 12_000, reason: null, left_ms: null }, 9000);
    expect(left(mirror.clock, 40_000, 10_000)).toBe(27_000);
    expect(left(mirror.clock, 40_000, 90_000)).toBe(0);
  });

  test("an update without a clock leaves turn, deadline and prompt as they are, and time runs on", () => {
    const mirror = entered();
    mirror.receive(update(2, [], null, { at: 5_000, turn: 2, deadline: 35_000, banks: [7] }), 1000);
    mirror.receive(prompt, 1000);
    const { clock } = mirror;
    mirror.receive(update(3, [], null, null), 2000);
    expect(mirror.clock).toEqual(clock);
    expect(mirror.prompt).toEqual(prompt);
    expect(left(mirror.clock, 35_000, 2000)).toBe(35_000 - 10_000 - 1000);
  });

  function seated(phase: string, ...players: (string | null)[]): ServerMessage {
    const nobody = { bot: null, stood_in: false, grace: null, kept: null, hired: false };
    const seat = { ...nobody, name: "", connected: true, out: false };
    const seats = players.map((player, index) => ({ ...seat, seat: index, player }));
    return { type: "seats", room: ROOM, phase, host: "bob", seats, watching: 2 };
  }

  test("the own seat is found by the player's id when seats are dealt", () => {
    const mirror = entered();
    mirror.receive(seated("playing", "bob", "ada"), 0);
    expect([mirror.seat, mirror.phase, mirror.watching]).toEqual([1, "playing", 2]);
  });

  test("a seat left in another tab before the match is free, then another player's", () => {
    const mirror = entered();
    for (const next of [null, "eve"]) {
      mirror.receive(seated("lobby", next, "bob"), 0);
      expect(mirror.seat).toBeNull();
    }
  });

  test("a seat of the match stays", () => {
    const mirror = entered();
    mirror.receive(seated("playing", null, "bob"), 0);
    expect(mirror.seat).toBe(0);
  });

  test("chat lines repeated after a break are recognized", () => {
    const mirror = entered();
    const line: ServerMessage = { type: "said", room: ROOM, at: 1, player: "bob", name: "Bob", seat: 1, text: "hi" };
    expect(mirror.receive(line, 0).said).toBeDefined();
    expect(mirror.receive(line, 0).said).toBeDefined();
    mirror.receive(joined("resumed"), 0);
    expect(mirror.receive(line, 0).said).toBeUndefined();
    expect(mirror.receive(line, 0).said).toBeUndefined();
    expect(mirror.receive(line, 0).said).toBeDefined();
  });
});
