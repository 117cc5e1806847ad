/** The games and bots of the server, refreshed regularly in visible tabs. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Line } from "../../js/tests/fake_server.js";

let line: Line;
let answered: number;
let page: EventTarget & { hidden: boolean };

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  line = new Line();
  answered = 0;
  page = Object.assign(new EventTarget(), { hidden: false, documentElement: { dataset: {} } });
  vi.stubGlobal("location", { protocol: "http:", host: "localhost", hash: "" });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("document", page);
  vi.stubGlobal("WebSocket", function dial() {
    return line;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answer as a server for a while, with the given *bots*; return how often the games were requested. */
async function asked(ms: number, bots: readonly string[]): Promise<number> {
  const before = answered;
  const seats = { min_seats: 2, max_seats: 2, usual_seats: 2 };
  const rest = {
    summary: "",
    rules_version: 1,
    turn_ms: 1000,
    complete: true,
    options: {},
    actions: {},
    has_draws: true,
  };
  for (let spent = 0; spent <= ms; spent += 500) {
    if (line.count("games") > answered) {
      answered += 1;
      const games = [{ game: "g", name: "G", bots, ...seats, ...rest }];
      line.say({ type: "games", ref: line.last("games").ref, games, room_options: {} });
    }
    line.pong();
    await vi.advanceTimersByTimeAsync(500);
  }
  return answered - before;
}

async function begin(): Promise<void> {
  const { begin: start } = await import("../src/state");
  start();
  line.welcome();
}

test("as long as a game has no bot it is asked for again, less and less often", async () => {
  await begin();
  expect(await asked(10_000, [])).toBe(3);
  await asked(60_000, []);
  expect(await asked(60_000, [])).toBe(2);
});

test("a hidden tab requests nothing; a tab requests at once when it becomes visible", async () => {
  await begin();
  expect(await asked(0, ["greedy"])).toBe(1);
  page.hidden = true;
  expect(await asked(300_000, ["greedy"])).toBe(0);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  expect(await asked(29_000, ["greedy"])).toBe(1);
  expect(await asked(2000, ["greedy"])).toBe(1);
});
