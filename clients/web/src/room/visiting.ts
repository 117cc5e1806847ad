/** Being in a room for as long as a screen shows it. */

import { useEffect, useState } from "preact/hooks";

import { patiently } from "../client/backoff";
import { Refused } from "../client/errors";
import type { Room } from "../client/room";
import { notedSeal } from "../replay/notes";
import { session } from "../state";
import { roomCode } from "../wire/codes";

export interface Visit {
  readonly room: Room | null;
  readonly error: unknown;
  /** Whether the server could not let us in yet, and is asked again. */
  readonly isHeldUp: boolean;
}

export type Enter = (as: "join" | "watch") => Promise<Room>;

const NOWHERE: Visit = { room: null, error: null, isHeldUp: false };

/** Enter a room by *way* once the server has welcomed us; who only watches leaves it with the screen. */
export function useVisit(number: number | null, key: string | null, way: (enter: Enter) => Promise<Room>): Visit {
  const [visit, setVisit] = useState(NOWHERE);
  const isWelcome = session.welcome.value !== null;
  useEffect(() => {
    if (!isWelcome || number === null) return undefined;
    let isWanted = true;
    let entered: Room | null = null;
    const enter: Enter = (as) =>
      patiently(
        () => session.enter(number, key, as),
        () => isWanted,
        () => setVisit({ ...NOWHERE, isHeldUp: true }),
      );
    way(enter).then(
      (room) => {
        entered = room;
        if (isWanted) setVisit({ ...NOWHERE, room });
        else stopWatching(room);
      },
      (error: unknown) => isWanted && setVisit({ ...NOWHERE, error }),
    );
    return () => {
      isWanted = false;
      if (entered) stopWatching(entered);
    };
  }, [isWelcome, number]);
  return visit;
}

function stopWatching(room: Room): void {
  const isHeld = session.rooms.get(room.number) === room;
  if (isHeld && room.state.value.seat === null) void session.leave(room);
}

/** Look at a room; whoever has a seat there takes it up again. */
export async function look(number: number, enter: Enter): Promise<Room> {
  const known = session.rooms.get(number);
  if (known) return known;
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

/** Wait for who sits there, and join if that is us. */
function seated(room: Room, enter: Enter): Promise<Room> {
  return new Promise((resolve) => {
    const stop = room.state.subscribe((state) => {
      if (!state.seats.length) return;
      queueMicrotask(() => stop());
      const isOurs = state.seats.some((seat) => seat.player === room.player);
      if (isOurs && state.seat === null) enter("join").then(resolve, () => resolve(room));
      else resolve(room);
    });
  });
}
