/** How a match has ended, in words. */

import type { RoomState } from "../client/room";
import type { SeatState } from "../generated/messages";

const ENDINGS: Readonly<Record<string, string>> = {
  victory: "",
  cap: "The match reached its cap.",
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
  const [winner] = first;
  if (!winner) return "The match is over.";
  if (first.length > 1) return `${named(first, seat)} share the first place.`;
  if (ended?.left.includes(winner.seat)) return `The bot of ${winner.name} has won.`;
  return winner.seat === seat ? "You have won." : `${winner.name} has won.`;
}

/** Return why it is over, and who left it to a bot. */
export function reason({ ended, seats, seat }: Finished): string {
  if (!ended) return "";
  const left = seats.filter((each) => ended.left.includes(each.seat));
  const rated = ended.rated ? ", rated behind everyone who stayed" : "";
  const leaving = left.length && `${named(left, seat)} left: a bot finished the match${rated}.`;
  return [ENDINGS[ended.reason] ?? ended.reason, ENDINGS[ended.detail] ?? ended.detail, leaving]
    .filter(Boolean)
    .join(" ");
}

function named(seats: readonly SeatState[], own: number | null): string {
  const others = seats.filter((each) => each.seat !== own).map((each) => each.name);
  return new Intl.ListFormat("en-GB").format(others.length < seats.length ? ["You", ...others] : others);
}
