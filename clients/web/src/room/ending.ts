/** How a match has ended, in words. */

import type { RoomState } from "../client/room";

const ENDINGS: Readonly<Record<string, string>> = {
  victory: "",
  cap: "It reached its longest.",
  resigned: "All but one side gave up.",
  draw: "The players agreed on it.",
  void: "It ended without a result.",
  "rules.changed": "The rules of the game changed.",
};

/** What a viewer knows of the end of a match. */
export type Finished = Pick<RoomState, "ended" | "seats" | "seat">;

/** Return who has won, as the viewer would be told: only one can, others share a place. */
export function outcome({ ended, seats, seat }: Finished): string {
  if (ended?.reason === "draw") return "A draw.";
  const first = seats.filter((each) => ended?.reason !== "void" && ended?.ranks[each.seat] === 1);
  const isOurs = first.some((each) => each.seat === seat);
  const names = first.filter((each) => each.seat !== seat).map((each) => each.name);
  if (first.length === 0) return "The match is over.";
  if (first.length === 1) return isOurs ? "You have won." : `${names[0]} has won.`;
  const all = new Intl.ListFormat("en-GB").format(isOurs ? ["You", ...names] : names);
  return `${all} share the first place.`;
}

/** Return why it is over. */
export function reason({ ended }: Finished): string {
  return ended ? `${ENDINGS[ended.reason] ?? ended.reason} ${ENDINGS[ended.detail] ?? ended.detail}`.trim() : "";
}
