/** The offers of a running match. */

import type { RoomState } from "warroom-client";

export type Offer = "draw" | "pause" | "resume";

/** Return what can be offered or accepted now; *hasDraws* says whether the game knows draws. */
export function offersOf(state: Pick<RoomState, "about" | "seats" | "paused">, hasDraws: boolean): Offer[] {
  const offers: Offer[] = hasDraws && mayDraw(state) ? ["draw"] : [];
  if (state.paused === "agreed") offers.push("resume");
  else if (Number(state.about?.room_options.pause_ms ?? 0) > 0) offers.push("pause");
  return offers;
}

/** The server's bots accept no draw; a player's own bot may. */
function mayDraw({ seats }: Pick<RoomState, "seats">): boolean {
  return !seats.some((seat) => seat.hired && !seat.out);
}
