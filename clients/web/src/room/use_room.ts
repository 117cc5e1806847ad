/** Keeps a room entered while a screen shows it. */

import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

import { RejectedError, type Room, roomCode } from "warroom-client";
import { type Enter, NOWHERE, SharedRooms, type Visit, type Way } from "../client/shared_rooms";
import { savedHashes } from "../replay/saved_hashes";
import { session } from "../state";

const visits = new SharedRooms(session);

/** Enter a room by *way* after the welcome; a spectator leaves it with the screen. */
export function useVisit(number: number | null, key: string | null, way: Way): Visit {
  const [visit, setVisit] = useState(NOWHERE);
  const isWelcome = session.welcome !== null;
  useEffect(
    () => (isWelcome && number !== null ? visits.begin(number, key, way, setVisit) : undefined),
    [isWelcome, number],
  );
  return visit;
}

/** Watch a room, or take up the own seat again. */
export async function look(number: number, enter: Enter): Promise<Room> {
  try {
    return await seated(await enter("watch"), enter);
  } catch (error) {
    if (error instanceof RejectedError && mayTakeUp(error.code, number)) return enter("join");
    throw error;
  }
}

/** Whether a refusal to watch means that we sit there; in a room without spectators, only players saved notes. */
function mayTakeUp(code: string, number: number): boolean {
  return code === "watch.seated" || (code === "watch.nobody" && savedHashes(roomCode(number)) !== null);
}

/** Wait for the seats, unless we already sit, and join if one is ours. */
function seated(room: Room, enter: Enter): Promise<Room> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const { state } = room;
      if (state.seat === null && !state.seats.length) return;
      queueMicrotask(() => stop());
      const isOurs = state.seats.some((seat) => seat.player === room.player);
      if (isOurs && state.seat === null) enter("join").then(resolve, () => resolve(room));
      else resolve(room);
    });
  });
}
