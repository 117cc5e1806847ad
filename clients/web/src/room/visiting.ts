/** Being in a room for as long as a screen shows it. */

import { useEffect, useState } from "preact/hooks";

import { Refused } from "../client/errors";
import type { Room } from "../client/room";
import { type Enter, NOWHERE, type Visit, Visits, type Way } from "../client/visits";
import { notedSeal } from "../replay/notes";
import { session } from "../state";
import { roomCode } from "../wire/codes";

const visits = new Visits(session);

/** Enter a room by *way* once the server has welcomed us; who only watches leaves it with the screen. */
export function useVisit(number: number | null, key: string | null, way: Way): Visit {
  const [visit, setVisit] = useState(NOWHERE);
  const isWelcome = session.welcome.value !== null;
  useEffect(
    () => (isWelcome && number !== null ? visits.begin(number, key, way, setVisit) : undefined),
    [isWelcome, number],
  );
  return visit;
}

/** Look at a room; whoever has a seat there takes it up again. */
export async function look(number: number, enter: Enter): Promise<Room> {
  try {
    return await seated(await enter("watch"), enter);
  } catch (error) {
    if (error instanceof Refused && mayTakeUp(error.code, number)) return enter("join");
    throw error;
  }
}

/** Whether a refusal to look on means that we sit there; where nobody may watch, only who sat there saw anything. */
function mayTakeUp(code: string, number: number): boolean {
  return code === "watch.seated" || (code === "watch.nobody" && notedSeal(roomCode(number)) !== null);
}

/** Wait for who sits there, unless we do already, and join if that is us. */
function seated(room: Room, enter: Enter): Promise<Room> {
  return new Promise((resolve) => {
    const stop = room.state.subscribe((state) => {
      if (state.seat === null && !state.seats.length) return;
      queueMicrotask(() => stop());
      const isOurs = state.seats.some((seat) => seat.player === room.player);
      if (isOurs && state.seat === null) enter("join").then(resolve, () => resolve(room));
      else resolve(room);
    });
  });
}
