/** The list of rooms as it changes, the newest first. */

import type { Listed, RoomListing } from "../generated/messages";

/** As many rooms the server tells at once, and tells of what changes in them: where it tells fewer, there are no more. */
export const FULL_LIST = 100;

export interface Listing {
  /** The newest rooms, which the server keeps up to date. */
  readonly live: readonly RoomListing[];
  /** Those that were asked for besides, as they were then. */
  readonly older: readonly RoomListing[];
  /** Whether older ones may follow the last. */
  readonly mayBeMore: boolean;
}

export function begun(rooms: readonly RoomListing[]): Listing {
  return { live: rooms, older: [], mayBeMore: rooms.length >= FULL_LIST };
}

export function allOf({ live, older }: Listing): readonly RoomListing[] {
  return [...live, ...older];
}

/** Return the list after *change*: what is new comes first, what is known stays in its place. */
export function changed(listing: Listing, change: Listed): Listing {
  const { live, older } = listing;
  const told = new Map(change.rooms.map((room) => [room.room, room]));
  const gone = new Set(change.gone);
  const fresh = without(change.rooms, live);
  const made = without(fresh, older);
  const risen = without(fresh, made);
  const kept = live.filter((room) => !gone.has(room.room)).map((room) => told.get(room.room) ?? room);
  const now = [...made, ...kept, ...risen];
  const pushed = now.length < FULL_LIST ? [] : pushedOut(live, gone, made.length);
  return {
    live: now,
    older: older.length ? without([...pushed, ...older], now) : [],
    mayBeMore: listing.mayBeMore || (pushed.length > 0 && older.length === 0),
  };
}

/** Return the list with those that follow its last one. */
export function extended(listing: Listing, more: readonly RoomListing[]): Listing {
  const older = [...listing.older, ...without(more, allOf(listing))];
  return { ...listing, older, mayBeMore: more.length >= FULL_LIST };
}

/** The last of a full list that newer rooms took the places of: they are told as gone, like those that are over. */
function pushedOut(live: readonly RoomListing[], gone: ReadonlySet<number>, made: number): readonly RoomListing[] {
  const stays = live.findLastIndex((room) => !gone.has(room.room));
  const last = live.slice(stays + 1);
  return last.slice(Math.max(0, last.length - made));
}

function without(rooms: readonly RoomListing[], others: readonly RoomListing[]): readonly RoomListing[] {
  const known = new Set(others.map((room) => room.room));
  return rooms.filter((room) => !known.has(room.room));
}
