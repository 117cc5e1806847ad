/** The list of rooms as it changes, the newest first. */

import type { Listed, RoomListing } from "../generated/messages";

/** As many rooms the server tells at once: where it tells fewer, there are no more. */
export const FULL_LIST = 100;

/** Return the list after *change*: what is new comes first, what is known stays in its place. */
export function changed(rooms: readonly RoomListing[], change: Listed): readonly RoomListing[] {
  const told = new Map(change.rooms.map((room) => [room.room, room]));
  const kept = rooms.filter((room) => !change.gone.includes(room.room));
  const known = new Set(kept.map((room) => room.room));
  const fresh = change.rooms.filter((room) => !known.has(room.room));
  return [...fresh.reverse(), ...kept.map((room) => told.get(room.room) ?? room)];
}

/** Return the list with those that follow its last one. */
export function extended(rooms: readonly RoomListing[], older: readonly RoomListing[]): readonly RoomListing[] {
  const known = new Set(rooms.map((room) => room.room));
  return [...rooms, ...older.filter((room) => !known.has(room.room))];
}
