/** The ways into a room. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Line, ROOM } from "../../js/tests/fake_server.js";

let line: Line;

beforeEach(() => {
  vi.resetModules();
  line = new Line();
  vi.stubGlobal("location", { protocol: "http:", host: "localhost", hash: "" });
  vi.stubGlobal("WebSocket", function dial() {
    return line;
  });
});

afterEach(() => void vi.unstubAllGlobals());

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Start a quick match; the server finds a room each time, and refuses the first joins. */
async function playNow(...refusals: string[]): Promise<string> {
  const { session } = await import("../src/state");
  const { playNow: play } = await import("../src/lobby/actions");
  session.start();
  line.welcome();
  const playing = play("g").then(
    () => "playing",
    (error: Error) => error.message,
  );
  for (const refusal of [...refusals, null]) {
    await settle();
    line.say({ type: "created", ref: line.last("quick").ref, room: ROOM, code: "0000007", key: null });
    await settle();
    if (refusal === null) line.admit();
    else line.say({ type: "error", ref: line.last("join").ref, code: refusal, detail: refusal });
  }
  return playing;
}

test.each(["room.full", "room.started"])("a quick match retries when its seat is taken (%s)", async (refusal) => {
  expect(await playNow(refusal)).toBe("playing");
  expect(location.hash).toBe("#/r/0000007");
  const asked = line.sent.filter((message) => message.type === "quick");
  expect(new Set(asked.map(({ ref }) => ref)).size).toBe(2);
});

test.each([
  [["room.full", "room.started"], 2],
  [["room.limit"], 1],
])("after the refusals %o nobody asks again", async (refusals, count) => {
  expect(await playNow(...refusals)).toBe(refusals.at(-1));
  expect(line.count("quick")).toBe(count);
});
