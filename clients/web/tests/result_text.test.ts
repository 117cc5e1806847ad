/** The text at the end of a match. */

import { describe, expect, test } from "vitest";

import type { Ended, SeatState } from "warroom-client";
import { outcome, reason } from "../src/room/result_text";

function seat(number: number, name: string): SeatState {
  const nobody = { bot: null, stood_in: false, grace: null, kept: null, hired: false };
  return { seat: number, player: name, name, connected: true, out: false, ...nobody };
}

const SEATS = [seat(0, "Ada"), seat(1, "Bob"), seat(2, "Eve")];

function finished(own: number | null, ranks: readonly number[], why = "victory", more: Partial<Ended> = {}) {
  const rest = { seed: "", chain: "", detail: "", rated: false, left: [], ...more };
  const ended: Ended = { type: "ended", room: 7, ranks, reason: why, ...rest };
  return { ended, seats: SEATS, seat: own };
}

describe("the winner", () => {
  test.each([
    ["the winner", 0, [1, 2, 3], "victory", "You won."],
    ["who lost", 1, [1, 2, 3], "victory", "Ada won."],
    ["who shares the first place", 1, [1, 1, 3], "cap", "You and Ada share first place."],
    ["who lost to two", 2, [1, 1, 3], "cap", "Ada and Bob share first place."],
    ["who watches all share it", null, [1, 1, 1], "cap", "Ada, Bob and Eve share first place."],
    ["who agreed on a draw", 0, [1, 1, 1], "draw", "Draw."],
    ["who gave up before a draw", 2, [1, 1, 3], "draw", "Draw."],
    ["whose match was voided", 0, [], "void", "The match is over."],
  ])("%s sees the result", (_, own, ranks, why, told) => {
    expect(outcome(finished(own, ranks, why))).toBe(told);
  });

  test.each([
    ["who stayed", 1, [0], false, "The bot that replaced Ada won.", "Ada left and a bot finished the match."],
    [
      "who left",
      0,
      [0],
      true,
      "The bot that replaced Ada won.",
      "You left and a bot finished the match, rated behind everyone who stayed.",
    ],
    ["who watches", null, [1, 2], false, "Ada won.", "Bob and Eve left and a bot finished the match."],
  ])("%s sees who left the match to a bot", (_, own, left, rated, who, why) => {
    const over = finished(own, [1, 2, 3], "victory", { left, rated });
    expect([outcome(over), reason(over)]).toEqual([who, why]);
  });

  test("is unknown before the end", () => {
    expect(reason({ ended: null, seats: SEATS, seat: 0 })).toBe("");
  });

  test("comes with the reason, in the page's words or the server's", () => {
    expect(reason(finished(0, [1, 2, 3], "cap"))).toBe("Length limit reached.");
    expect(reason(finished(0, [1, 2, 3], "sunk"))).toBe("sunk");
  });
});
