/** The end of a match as text. */

import type { RoomState, SeatState } from "warroom-client";
import { LENGTH_LIMIT } from "../boards/text_case";

const ENDINGS: Readonly<Record<string, string>> = {
  victory: "",
  cap: `${LENGTH_LIMIT}.`,
  resigned: "All opponents resigned.",
  draw: "Agreed by the players.",
  void: "No result.",
  "rules.changed": "The rules changed.",
};

/** What a viewer knows of the end. */
export type Finished = Pick<RoomState, "ended" | "seats" | "seat">;

/** Return who won, from the viewer's perspective; several can share first place. */
export function outcome({ ended, seats, seat }: Finished): string {
  if (ended?.reason === "draw") return "Draw.";
  const first = seats.filter((each) => ended?.reason !== "void" && ended?.ranks[each.seat] === 1);
  const [winner] = first;
  if (!winner) return "The match is over.";
  if (first.length > 1) return `${named(first, seat)} share first place.`;
  if (ended?.left.includes(winner.seat)) return `The bot that replaced ${winner.name} won.`;
  return winner.seat === seat ? "You won." : `${winner.name} won.`;
}

/** Return why the match ended, and who left it to a bot. */
export function reason({ ended, seats, seat }: Finished): string {
  if (!ended) return "";
  const left = seats.filter((each) => ended.left.includes(each.seat));
  const rated = ended.rated ? ", rated behind everyone who stayed" : "";
  const leaving = left.length && `${named(left, seat)} left and a bot finished the match${rated}.`;
  return [ENDINGS[ended.reason] ?? ended.reason, ENDINGS[ended.detail] ?? ended.detail, leaving]
    .filter(Boolean)
    .join(" ");
}

function named(seats: readonly SeatState[], own: number | null): string {
  const others = seats.filter((each) => each.seat !== own).map((each) => each.name);
  return new Intl.ListFormat("en-GB").format(others.length < seats.length ? ["You", ...others] : others);
}
