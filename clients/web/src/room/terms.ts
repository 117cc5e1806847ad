/** What the players of a running match can come to terms about. */

import type { RoomState } from "../client/room";

export type Term = "draw" | "pause" | "resume";

/** Return what can be offered or agreed to now, in a game that *hasDraws* or knows none. */
export function termsOf(state: Pick<RoomState, "about" | "seats" | "paused">, hasDraws: boolean): Term[] {
  const terms: Term[] = hasDraws && mayDraw(state) ? ["draw"] : [];
  if (state.paused === "agreed") terms.push("resume");
  else if (Number(state.about?.room_options.pause_ms ?? 0) > 0) terms.push("pause");
  return terms;
}

/** The bots of the server agree to no draw; one that is a player's own may. */
function mayDraw({ seats }: Pick<RoomState, "seats">): boolean {
  return !seats.some((seat) => seat.hired && !seat.out);
}
