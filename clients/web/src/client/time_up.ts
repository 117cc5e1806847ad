/** What a player is told whose time was up. */

import type { Expired } from "../generated/messages";

/** Return that the clock ended a turn that was played, or that the turn was missed and how many more bring a bot. */
export function timeUp({ acted, left }: Pick<Expired, "acted" | "left">): string {
  if (acted) return "Time is up.";
  const missed = "You missed your turn.";
  if (left === null) return missed;
  return `${missed} ${left ? `After ${left} more in a row a bot plays` : "A bot may play now"} for you.`;
}
