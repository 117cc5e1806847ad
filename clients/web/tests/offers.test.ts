/** The possible offers in a match. */

import { describe, expect, test } from "vitest";

import type { SeatState } from "warroom-client";
import { ABOUT } from "../../js/tests/fake_server.js";
import { offersOf } from "../src/room/offers";

const PERSON: SeatState = {
  ...{ seat: 0, player: "ada", name: "Ada", connected: true, out: false },
  ...{ bot: null, stood_in: false, grace: null, kept: null, hired: false },
};
const BOT: SeatState = { ...PERSON, seat: 1, player: "robot", bot: "greedy", hired: true };
const NOTHING = { about: { ...ABOUT, room_options: { pause_ms: 60_000 } }, paused: null };

describe("a draw", () => {
  test("is possible between people, also with one whose seat a bot plays", () => {
    const seats = [PERSON, { ...BOT, hired: false, stood_in: true }];
    expect(offersOf({ ...NOTHING, seats }, true)).toEqual(["draw", "pause"]);
    expect(offersOf({ ...NOTHING, seats }, false)).toEqual(["pause"]);
  });

  test("is impossible with an active server bot, but possible with a player's own bot", () => {
    expect(offersOf({ ...NOTHING, seats: [PERSON, BOT] }, true)).toEqual(["pause"]);
    expect(offersOf({ ...NOTHING, seats: [PERSON, { ...BOT, stood_in: true }] }, true)).toEqual(["pause"]);
    expect(offersOf({ ...NOTHING, seats: [PERSON, { ...BOT, hired: false }] }, true)).toContain("draw");
    expect(offersOf({ ...NOTHING, seats: [PERSON, { ...BOT, out: true }] }, true)).toContain("draw");
  });
});

describe("a pause", () => {
  test("can be offered where there may be one, and its end during it", () => {
    expect(offersOf({ ...NOTHING, about: ABOUT, seats: [] }, false)).toEqual([]);
    expect(offersOf({ ...NOTHING, paused: "agreed", seats: [] }, false)).toEqual(["resume"]);
  });
});
