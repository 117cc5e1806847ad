/** The order of a result. */

import type { MatchSummary } from "warroom-client";
import { place } from "./numbers";

export interface Result {
  readonly ranks: readonly number[];
  readonly left: readonly number[];
}

/** Return seats with ranks, best first; seats left to bots come after everyone who stayed. */
export function standings<T extends { readonly seat: number }>({ ranks, left }: Result, seats: readonly T[]) {
  return seats
    .map((each) => {
      const hasLeft = left.includes(each.seat);
      return { ...each, rank: ranks[each.seat] ?? 0, hasLeft, note: hasLeft ? " (left)" : "" };
    })
    .sort((one, other) => Number(one.hasLeft) - Number(other.hasLeft) || one.rank - other.rank);
}

/** Return the players, best first. */
export function ranking(match: Pick<MatchSummary, "players" | "ranks" | "left" | "reason" | "detail">): string {
  const players = match.players.map(({ name }, seat) => ({ name, seat }));
  const sorted = standings(match, players);
  if (match.reason === "void") {
    const why = match.detail === "rules.changed" ? ", the rules changed" : "";
    return `${sorted.map((each) => each.name).join(", ")} · no result${why}`;
  }
  return sorted.map((each) => `${place(each.rank)} ${each.name}${each.note}`).join(" · ");
}
