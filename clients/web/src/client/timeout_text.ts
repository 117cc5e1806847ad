/** The message after a time-out. */

import type { Expired } from "warroom-client";

/** Say that the clock ended a played turn, or that the turn was missed and how many more bring a bot. */
export function timeUp({ acted, left }: Pick<Expired, "acted" | "left">): string {
  if (acted) return "Time is up.";
  const missed = "You missed your turn.";
  if (left === null) return missed;
  return `${missed} ${left ? `Miss ${left} more in a row and a bot plays` : "A bot may now play"} for you.`;
}
