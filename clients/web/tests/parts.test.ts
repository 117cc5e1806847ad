/** Small parts: addresses, schemas, clock texts, and the step player. */

import { encode } from "@msgpack/msgpack";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  DisconnectedError,
  delayBefore,
  newRef,
  RejectedError,
  retryTemporary,
  type Step,
  type View,
} from "warroom-client";
import { HEALING_MS } from "../../js/src/backoff.js";
import { goldenFrames } from "../../js/tests/documents.js";
import { ROOM } from "../../js/tests/fake_server.js";
import type { BoardModule, Told } from "../src/boards/board";
import { inWords } from "../src/client/error_text";
import { EMPTY, StepPlayer } from "../src/client/step_player";
import { routeTo } from "../src/lobby/link_parser";
import { remembered } from "../src/replay/board_memory";
import { readView, type Scene, sameMoment, scenesOf } from "../src/replay/file";
import { logOf, logUntil, noteOf } from "../src/replay/log";
import type { Line } from "../src/room/match";
import { LONGEST_LOG, makeTable } from "../src/room/table";
import { href, parseRoute, type Route, titleOf } from "../src/routes";
import { duration, elapsed, place, spell, timeLeft } from "../src/ui/numbers";
import { actionKinds, entriesOf } from "../src/ui/schema";

describe("typed or pasted text", () => {
  const room = { at: "room", code: "2h0bc34" };
  test.each([
    [" 2H0BC34 ", room],
    ["2h0bc34-k3v5rm2a", { ...room, code: "2h0bc34-k3v5rm2a" }],
    ["https://war.example/#/r/2h0bc34", room],
    ["https://war.example/#/r/2h0bc34?utm_source=chat", room],
    ["https://war.example/?utm_source=chat#/r/2h0bc34", room],
    ["https://war.example/r/2h0bc34?utm_source=chat", room],
    ["https://war.example/#/replay/2h0bc34", { at: "replay", code: "2h0bc34", seat: null, step: null }],
    ["#/replay/2h0bc34?view=own&step=12", { at: "replay", code: "2h0bc34", seat: "own", step: 12 }],
    ["https://war.example/#/matches/strata", null],
    ["https://war.example/", null],
    ["#/r/nonsense", null],
    ["nonsense", null],
    ["", null],
  ])("%s", (text, route) => {
    expect(routeTo(text)).toEqual(route);
  });
});

describe("addresses", () => {
  const routes: Route[] = [
    { at: "lobby" },
    { at: "room", code: "2h0bc34-k3v5rm2a" },
    { at: "watch" },
    { at: "matches", game: null },
    { at: "matches", game: "strata" },
    { at: "ranking", game: null, isOfBots: false },
    { at: "ranking", game: "strata", isOfBots: false },
    { at: "ranking", game: "strata", isOfBots: true },
    { at: "replay", code: "2h0bc34", seat: "own", step: 12 },
    { at: "replay", code: "2h0bc34", seat: null, step: null },
    { at: "extra", game: "thardferr", page: "calculator" },
    { at: "rules", game: "strata" },
  ];
  test.each(routes.map((route) => [href(route), route] as const))("%s", (address, route) => {
    expect(parseRoute(address)).toEqual(route);
  });

  test.each(["", "#", "#/nothing", "#/r/", "#/x/only"])("%s leads to the lobby", (address) => {
    expect(parseRoute(address)).toEqual({ at: "lobby" });
  });

  test("an invalid escape is kept as it is", () => {
    expect(parseRoute("#/r/2h0bc34%")).toEqual({ at: "room", code: "2h0bc34%" });
  });

  test.each([
    ["#/", "Warroom"],
    ["#/watch", "Watch · Warroom"],
    ["#/r/2h0bc34-k3v5rm2a", "Room 2h0bc34 · Warroom"],
    ["#/replay/2h0bc34?step=3", "Replay 2h0bc34 · Warroom"],
  ])("%s has the title %s", (address, title) => {
    expect(titleOf(parseRoute(address))).toBe(title);
  });

  test("a screen's subject replaces the location in the title", () => {
    expect(titleOf(parseRoute("#/x/thardferr/battle"), "Thardferr: battle calculator")).toBe(
      "Thardferr: battle calculator · Warroom",
    );
  });

  test.each(["#/replay/2h0bc34?step=-1", "#/replay/2h0bc34?step=x"])("%s has no step", (address) => {
    expect(parseRoute(address)).toMatchObject({ step: null });
  });
});

describe("schemas", () => {
  const list = goldenFrames().find((frame) => frame.name === "games" && frame.direction === "server")
    ?.json as unknown as {
    games: { options: { [key: string]: View }; actions: { [key: string]: View } }[];
    room_options: { [key: string]: View };
  };
  const game = list.games[0];
  if (!game) throw new Error("the golden frame has no game");

  test("options become entries with ranges, defaults and help", () => {
    expect(entriesOf(game.options)[0]).toMatchObject({
      name: "rounds",
      kind: "number",
      minimum: 1,
      maximum: 10,
      fallback: 4,
      mayBeNull: false,
    });
  });

  test("room options have switches, choices, texts and optional fields", () => {
    const entries = new Map(entriesOf(list.room_options).map((entry) => [entry.name, entry]));
    expect(entries.get("private")?.kind).toBe("switch");
    expect(entries.get("watch")).toMatchObject({ kind: "choice", choices: ["all", "nobody", "public"] });
    expect(entries.get("turn_ms")).toMatchObject({ kind: "number", mayBeNull: true, minimum: 200 });
    expect(entries.get("bot")?.kind).toBe("text");
  });

  test("actions become kinds with their fields", () => {
    const kinds = actionKinds(game.actions);
    expect(kinds.map((kind) => kind.type)).toEqual(["bid", "peek"]);
    expect(kinds[0]?.entries.map((entry) => [entry.name, entry.isRequired])).toEqual([["card", true]]);
    expect(kinds.every((kind) => kind.isPlain)).toBe(true);
  });

  test("have descriptions without code marks", () => {
    const bank = { type: "integer", description: "Counts where `turn_ms` is over." };
    expect(entriesOf({ type: "object", properties: { bank } })[0]?.help).toBe("Counts where turn_ms is over.");
  });
});

test.each([
  [0, "0.0"],
  [50, "0.1"],
  [9_940, "10.0"],
  [10_000, "10"],
  [59_001, "1:00"],
  [61_000, "1:01"],
])("%i ms are %s on the clock", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  [500, "0.5 s"],
  [5_000, "5 s"],
  [60_000, "60 s"],
  [90_000, "90 s"],
  [120_000, "2 min"],
  [3_600_000, "1 h"],
  [86_400_000, "24 h"],
])("a turn of %i ms is one of %s", (ms, text) => {
  expect(spell(ms)).toBe(text);
});

test.each([
  [0, "0:00"],
  [53_999, "0:53"],
  [61_000, "1:01"],
])("%i ms into a match it is %s", (ms, text) => {
  expect(elapsed(ms)).toBe(text);
});

test.each([
  [null, null, "–"],
  [12_000, 12_000, "12"],
  [12_000, 42_000, "12"],
  [0, 30_000, "bank 30"],
  [0, 0, "0.0"],
])("%s ms of the turn and %s of the seat are %s", (turn, own, text) => {
  expect(timeLeft(turn, own)).toBe(text);
});

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
])("rank %i is the %s place", (rank, text) => {
  expect(place(rank)).toBe(text);
});

test("delays double up to a limit and are drawn from their upper half", () => {
  expect([0, 1, 2, 50].map((count) => delayBefore(count, undefined, () => 1))).toEqual([100, 200, 400, 4000]);
  expect(delayBefore(3, undefined, () => 0)).toBe(400);
  expect(delayBefore(50, HEALING_MS, () => 1)).toBe(HEALING_MS);
});

describe("retries", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const asking = (...codes: readonly string[]) => {
    const left = codes.map((code) => new RejectedError(code, ""));
    return vi.fn(async () => {
      const refused = left.shift();
      if (refused) throw refused;
      return "in";
    });
  };

  test("temporary refusals are retried with growing delays", async () => {
    const ask = asking(...Array<string>(8).fill("room.moving"));
    const tell = vi.fn();
    const answer = retryTemporary(ask, () => true, tell);
    const waits: number[] = [];
    while (waits.length < 8) {
      const { length } = ask.mock.calls;
      let waited = 0;
      for (; ask.mock.calls.length === length; waited += 1) await vi.advanceTimersByTimeAsync(1);
      waits.push(waited);
    }
    expect(await answer).toBe("in");
    expect(tell).toHaveBeenCalledTimes(8);
    for (const [count, longest] of [100, 200, 400, 800, HEALING_MS, HEALING_MS].entries()) {
      expect(waits[count]).toBeGreaterThanOrEqual(longest / 2);
      expect(waits[count]).toBeLessThanOrEqual(longest + 1);
    }
  });

  test("an abandoned request is not retried", async () => {
    const ask = asking("room.moving");
    let isWanted = true;
    const answer = expect(retryTemporary(ask, () => isWanted)).rejects.toMatchObject({ code: "room.moving" });
    await vi.advanceTimersByTimeAsync(1);
    isWanted = false;
    await vi.advanceTimersByTimeAsync(HEALING_MS);
    await answer;
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["a refusal for good", "room.unknown", true],
    ["a passing one that nobody waits out", "room.busy", false],
  ])("%s is reported at once", async (_, code, isWanted) => {
    const ask = asking(code);
    await expect(retryTemporary(ask, () => isWanted)).rejects.toMatchObject({ code });
    expect(ask).toHaveBeenCalledTimes(1);
  });
});

describe("the moments of a replay", () => {
  const scene = (serial: number, at: number, events: readonly View[] = []): Scene => ({
    moment: { ...EMPTY, serial, events },
    turn: 1,
    at,
    actedFor: [],
  });
  const board = { tell: (event: View) => event } as unknown as BoardModule;
  const table = makeTable(
    "g",
    {},
    ["Ada", "Bob"].map((name, seat) => ({ seat, name, isYou: seat === 1 })),
    1,
    true,
  );
  const scenes = [scene(1, 0), scene(2, 50, ["one"]), scene(3, 90), scene(4, 90, ["two"])];

  test.each([
    [0, 0],
    [60, 1],
    [90, 3],
    [500, 3],
    [-1, 0],
  ])("what another viewer saw after %i ms is step %i", (at, index) => {
    expect(sameMoment(scenes, scene(9, at))).toBe(index);
  });

  test("each has the end of the log up to it, as long as in a room", () => {
    const told = logOf(scenes, board, table);
    const ids = (scene: number) => logUntil(told, scene).map(({ line }) => line.id);
    expect([ids(0), ids(1), ids(3)]).toEqual([[], [1], [1, 3]]);
    const long = Array.from({ length: LONGEST_LOG + 9 }, (_, id) => ({ line: { ...told[0]?.line, id } as Line }));
    expect(logUntil(long, LONGEST_LOG + 4).map(({ line }) => line.id)).toEqual(
      Array.from({ length: LONGEST_LOG }, (_, id) => id + 5),
    );
  });

  test("each has the actions that players did not make, at the first frame that was seen of them", () => {
    const frames = [
      ["private", ROOM, 1, 1, true, [[[], { hand: [3] }]], [], null],
      ["update", ROOM, 1, [[[], { n: 0 }]], [], [5, 1, 35, []], null],
      ["update", ROOM, 2, [[["n"], 1]], [], [9, 2, 40, []], null],
      ["update", ROOM, 3, [[["n"], 2]], [], null, null],
    ].map((frame) => encode(frame));
    const acted = [
      [0, 0, "stand-in"],
      [1, 1, "clock"],
      [1, 0, "clock"],
      [1, 0, "clock"],
      [3, 0, "stand-in"],
      [4, 1, "clock"],
    ];
    const about = ["bids", 1, 2, {}, {}, "00"];
    const ended = ["ended", ROOM, [1, 2], "victory", "00", "11"];
    const body = encode([ROOM, about, 0, frames, ended, acted, [5, 5, 9, 11]]);
    const file = Uint8Array.of(...new TextEncoder().encode("WARVIEW\n"), 1, ...body);
    const scenes = scenesOf(readView(file));
    expect(scenes.map(({ turn, at }) => [turn, at])).toEqual([
      [1, 5],
      [2, 9],
      [2, 11],
    ]);
    const notes = scenes.map(({ actedFor }) => noteOf(actedFor, table));
    expect(notes).toEqual(["(stand-in acted for Ada) (clock acted for Ada, you)", "", "(stand-in acted for Ada)"]);
  });

  test("an action made for a player is in the log, even without text", () => {
    const clock = { frame: 0, seat: 0, by: "clock" } as const;
    const noted = scenes.map((each) => ({ ...each, actedFor: [clock] }));
    expect(logOf(noted, board, table).map(({ line }) => line.id)).toEqual([0, 1, 2, 3]);
  });

  test("each reaches the board's memory once, which continues from its last change", () => {
    const remember = vi.fn(({ events }: Told, known: unknown) => [...((known as View[] | null) ?? []), ...events]);
    expect(remembered({ scenes, next: 0, memory: null }, { remember }, null)).toEqual([
      null,
      [],
      ["one"],
      ["one"],
      ["one", "two"],
    ]);
    expect(remember).toHaveBeenCalledTimes(scenes.length);
    expect(remembered({ scenes, next: 2, memory: [] }, { remember }, null)).toEqual([[], [], ["two"]]);
  });
});

test("refs are whole numbers of 53 bits", () => {
  const refs = Array.from({ length: 1000 }, newRef);
  expect(refs.every((ref) => Number.isSafeInteger(ref) && ref >= 0)).toBe(true);
  expect(new Set(refs).size).toBe(1000);
});

test.each([
  [new RejectedError("room.full", "every seat is taken"), "Every seat is taken."],
  [new RejectedError("odd.code", ""), "Odd.code."],
  [new DisconnectedError("x"), "Connection lost. Try again in a moment."],
])("%s has a text", (error, text) => {
  expect(inWords(error)).toBe(text);
});

describe("the step player", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const step = (n: number, isFresh = false): Step => ({
    public: { n },
    private: null,
    turn: 1,
    events: isFresh ? [] : [{ type: "step", n }],
    secrets: [],
    isFresh,
  });
  const shown = (stage: StepPlayer): View => stage.moment.value.public;

  test("shows each step for as long as it takes, one after another", () => {
    const stage = new StepPlayer();
    stage.duration = () => 300;
    stage.push(step(0, true));
    stage.push(step(1));
    stage.push(step(2));
    expect(shown(stage)).toEqual({ n: 1 });
    expect(stage.isCurrent.value).toBe(false);
    expect(stage.moment.value.before?.public).toEqual({ n: 0 });
    vi.advanceTimersByTime(300);
    expect(shown(stage)).toEqual({ n: 2 });
    expect(stage.isCurrent.value).toBe(false);
    vi.advanceTimersByTime(300);
    expect(stage.isCurrent.value).toBe(true);
  });

  test("waits for nothing where nothing moves", () => {
    const stage = new StepPlayer();
    stage.push(step(0, true));
    stage.push(step(1));
    expect([shown(stage), stage.isCurrent.value]).toEqual([{ n: 1 }, true]);
    stage.duration = () => 300;
    stage.push(step(2));
    expect(stage.isCurrent.value).toBe(false);
  });

  test("plays a long queue faster, so that it never lags by more than a moment", () => {
    const stage = new StepPlayer();
    stage.duration = () => 2000;
    stage.push(step(0, true));
    for (let n = 1; n <= 10; n++) stage.push(step(n));
    vi.advanceTimersByTime(6000);
    expect(shown(stage)).toEqual({ n: 10 });
    expect(stage.isCurrent.value).toBe(true);
  });

  /** A player of one-second steps whose first two are playing when the seat gets *ms* to act. */
  function hastened(ms: number): StepPlayer {
    let budget = Infinity;
    const stage = new StepPlayer(undefined, undefined, () => budget);
    stage.duration = () => 1000;
    stage.push(step(0, true));
    stage.push(step(1));
    stage.push(step(2));
    vi.advanceTimersByTime(100);
    budget = ms;
    stage.hasten();
    return stage;
  }

  test("takes next to nothing of the time to act, however much is on its way, and shows all of it", () => {
    const stage = hastened(5000);
    const seen: View[] = [];
    stage.moment.subscribe((moment) => void seen.push(...moment.events));
    expect(stage.pace.value).toBeCloseTo(0.125);
    vi.advanceTimersByTime(249);
    expect([shown(stage), stage.isCurrent.value]).toEqual([{ n: 2 }, false]);
    vi.advanceTimersByTime(1);
    expect(stage.isCurrent.value).toBe(true);
    stage.push(step(3));
    vi.advanceTimersByTime(250);
    expect([shown(stage), stage.isCurrent.value]).toEqual([{ n: 3 }, true]);
    expect(seen).toEqual([1, 2, 3].map((n) => ({ type: "step", n })));
  });

  test("takes no longer than before where there is time enough to act, and no time where there is none", () => {
    const patient = hastened(60_000);
    vi.advanceTimersByTime(900);
    expect(shown(patient)).toEqual({ n: 2 });
    vi.advanceTimersByTime(1000);
    expect(patient.isCurrent.value).toBe(true);
    const late = hastened(0);
    vi.advanceTimersByTime(5);
    expect([shown(late), late.isCurrent.value]).toEqual([{ n: 2 }, true]);
    late.hasten();
    expect(late.isCurrent.value).toBe(true);
  });

  test("skips to the end on demand", () => {
    const stage = new StepPlayer();
    stage.duration = () => 1000;
    stage.push(step(0, true));
    for (let n = 1; n <= 3; n++) stage.push(step(n));
    stage.skip();
    expect([shown(stage), stage.isCurrent.value, stage.pace.value]).toEqual([{ n: 3 }, true, 0]);
  });

  test("passes on the events of skipped steps", () => {
    const stages = [new StepPlayer(), new StepPlayer(), new StepPlayer()];
    for (const stage of stages) {
      stage.duration = () => 1000;
      for (let n = 0; n <= 3; n++) stage.push(step(n, n === 0));
    }
    stages[0]?.skip();
    stages[1]?.push(step(4, true));
    for (let n = 4; n <= 26; n++) stages[2]?.push(step(n)); // more than is worth watching
    const upTo = (last: number) => Array.from({ length: last - 1 }, (_, index) => ({ type: "step", n: index + 2 }));
    expect(stages.map((stage) => stage.moment.value.events)).toEqual([upTo(3), upTo(3), upTo(26)]);
  });

  test("shows a fresh view at once and drops the queue", () => {
    const stage = new StepPlayer();
    stage.duration = () => 1000;
    stage.push(step(0, true));
    stage.push(step(1));
    stage.push(step(2));
    stage.push(step(9, true));
    expect([shown(stage), stage.isCurrent.value]).toEqual([{ n: 9 }, true]);
    expect(stage.moment.value.before).toBeNull();
  });

  test("animates nothing with reduced motion", () => {
    const stage = new StepPlayer(() => true);
    stage.duration = () => 1000;
    stage.push(step(0, true));
    stage.push(step(1));
    expect([shown(stage), stage.isCurrent.value, stage.pace.value]).toEqual([{ n: 1 }, true, 0]);
  });

  test("numbers its moments on from where a page that was loaded before stopped", () => {
    const [one, other] = [new StepPlayer(), new StepPlayer()];
    const last = one.push(step(0, true)).serial;
    vi.advanceTimersByTime(1000);
    expect(new StepPlayer().push(step(0, true)).serial).toBeGreaterThan(last);
    expect(other.push(step(0, true)).serial).toBe(last);
  });

  test("takes the views of all seats apart where spectators see them", () => {
    const stage = new StepPlayer(
      () => true,
      () => true,
    );
    const view = { public: { n: 1 }, seats: [{ hand: [1] }, { hand: [2] }] };
    const events = [
      { public: { type: "bid", seat: 1 }, seats: { "0": { type: "seen", seat: 1 }, "1": { type: "own", seat: 1 } } },
      { public: { type: "turn", seat: 1 }, seats: { "1": { type: "drawn" } } },
      { public: { type: "pick", seat: 0, race: null }, seats: { "0": { type: "pick", seat: 0, race: "orc" } } },
      { public: { type: "all" }, seats: {} },
      { public: null, seats: { "0": { type: "glimpse", seat: 1 } } },
      { public: null, seats: {} },
    ];
    stage.push({ public: view, private: null, turn: 1, events, secrets: [], isFresh: false });
    const moment = stage.moment.value;
    expect(moment.public).toEqual({ n: 1 });
    expect(moment.privates).toEqual([{ hand: [1] }, { hand: [2] }]);
    expect(moment.events).toEqual([
      { type: "bid", seat: 1 },
      { type: "own", seat: 1 },
      { type: "turn", seat: 1 },
      { type: "drawn", seat: 1 },
      { type: "pick", seat: 0, race: "orc" },
      { type: "all" },
      { type: "glimpse", seat: 1 },
    ]);
  });
});
