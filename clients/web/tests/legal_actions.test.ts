/** The legal actions of the open decision, as a board gets them. */

import { batch, signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Room } from "warroom-client";

import { HEALING_MS } from "../../js/src/backoff.js";
import { Line, newSession, ROOM } from "../../js/tests/fake_server.js";
import { inWords } from "../src/client/error_text";
import { LegalActions } from "../src/room/legal_actions";

let line: Line;
let legal: LegalActions;
let remarks: string[];

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

function ask(turn: number): void {
  line.say({ type: "prompt", room: ROOM, seat: 0, turn, at: 0, deadline: 1000 });
}

async function enter(): Promise<Room> {
  const session = newSession(() => line, undefined, undefined, { cell: signal, batch });
  session.start();
  line.welcome();
  const entering = session.enter(ROOM, null, "join");
  line.admit();
  return entering;
}

beforeEach(async () => {
  vi.useFakeTimers();
  line = new Line();
  remarks = [];
  legal = new LegalActions(await enter(), (error) => remarks.push(inWords(error)));
});

afterEach(() => {
  vi.useRealTimers();
});

test("legal actions are requested once per decision", async () => {
  ask(1);
  const { ref, notes } = line.last("legal");
  expect(notes).toBe(true);
  line.say({ type: "paused", room: ROOM, at: 1, reason: null, left_ms: null });
  expect(line.count("legal")).toBe(1);
  const actions = [{ type: "peek" }];
  line.say({ type: "legal", ref, room: ROOM, turn: 1, complete: true, actions, notes: ["1 look"] });
  await settle();
  expect(legal.current.value).toMatchObject({ actions, notes: ["1 look"] });
  ask(2);
  await settle();
  expect(line.count("legal")).toBe(2);
});

test("legal actions that the server does not repeat are those of the last list", async () => {
  const actions = [{ type: "peek" }];
  ask(1);
  const list = { type: "legal", room: ROOM, turn: 1, complete: true } as const;
  line.say({ ...list, ref: line.last("legal").ref, actions, notes: ["1 look"] });
  await settle();
  const clock = { at: 0, turn: 2, deadline: 1000, banks: [] };
  line.say({ type: "update", room: ROOM, p: 2, patch: [], events: [], clock, sum: null });
  expect(legal.current.value).toBeNull();
  ask(1);
  line.say({ ...list, ref: line.last("legal").ref, actions: null, notes: null });
  await settle();
  expect(legal.current.value).toMatchObject({ turn: 1, actions, notes: ["1 look"] });
});

test("a temporary refusal of the legal actions is retried while the decision is open", async () => {
  const hold = async (): Promise<void> => {
    line.say({ type: "error", ref: line.last("legal").ref, code: "room.busy", detail: "" });
    await settle();
  };
  ask(1);
  await hold();
  await vi.advanceTimersByTimeAsync(HEALING_MS);
  expect(line.count("legal")).toBe(2);
  await hold();
  ask(2);
  expect(line.count("legal")).toBe(3);
  await vi.advanceTimersByTimeAsync(HEALING_MS);
  expect(line.count("legal")).toBe(3);
  const { ref } = line.last("legal");
  line.say({ type: "legal", ref, room: ROOM, turn: 2, complete: true, actions: [{ type: "peek" }], notes: null });
  await settle();
  expect(legal.current.value?.turn).toBe(2);
});

test("a permanent refusal of the legal actions is reported once per decision", async () => {
  ask(1);
  for (const reason of [null, "the host"]) {
    line.say({
      type: "error",
      ref: line.last("legal").ref,
      code: "seat.out",
      detail: "you are out of the match",
    });
    await settle();
    line.say({ type: "paused", room: ROOM, at: 1, reason, left_ms: null });
  }
  expect(line.count("legal")).toBe(3);
  expect(remarks).toEqual(["You are out of the match."]);
});
