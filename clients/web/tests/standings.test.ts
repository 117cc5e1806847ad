/** The standing of players who left a match to a bot, and the warnings after missed turns. */

import { expect, test } from "vitest";

import { timeUp } from "../src/client/timeout_text";
import { ranking, standings } from "../src/ui/standings";

test("players who left come after everyone who stayed, with the ranks of the game", () => {
  const shown = standings({ ranks: [1, 3, 2], left: [0] }, [{ seat: 0 }, { seat: 1 }, { seat: 2 }]);
  expect(shown.map(({ seat, rank, note }) => [seat, rank, note])).toEqual([
    [2, 2, ""],
    [1, 3, ""],
    [0, 1, " (left)"],
  ]);
});

test("a list of matches says who left", () => {
  const players = ["Ada", "Bob"].map((name) => ({ player: name, name, bot: null }));
  const match = { players, ranks: [1, 2], left: [0], reason: "cap", detail: "" };
  expect(ranking(match)).toBe("2nd Bob · 1st Ada (left)");
  const ended = { ...match, ranks: [], left: [], reason: "void" };
  expect(ranking(ended)).toBe("Ada, Bob · no result");
  expect(ranking({ ...ended, detail: "rules.changed" })).toBe("Ada, Bob · no result, the rules changed");
});

test.each([
  [true, null, "Time is up."],
  [false, null, "You missed your turn."],
  [false, 2, "You missed your turn. Miss 2 more in a row and a bot plays for you."],
  [false, 0, "You missed your turn. A bot may now play for you."],
])("acted %s, %s left", (acted, left, told) => {
  expect(timeUp({ acted, left })).toBe(told);
});
