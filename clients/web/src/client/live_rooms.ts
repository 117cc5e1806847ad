/** The live list of rooms, newest first. */

import type { Listed, RoomListing } from "warroom-client";

/** The page size of the server's live list; a shorter answer is the end of the list. */
export const FULL_LIST = 100;

export interface Listing {
  readonly rooms: readonly RoomListing[];
  /** Whether older rooms may follow the last one. */
  readonly mayBeMore: boolean;
}

/** Return the first list, or a new one; entries of *former* beyond a full page stay until they are loaded again. */
export function begun(rooms: readonly RoomListing[], former: Listing | null = null): Listing {
  const isFull = rooms.length >= FULL_LIST;
  const beyond = isFull ? without(former?.rooms.slice(FULL_LIST) ?? [], rooms) : [];
  return { rooms: [...rooms, ...beyond], mayBeMore: beyond.length ? former?.mayBeMore === true : isFull };
}

/** Return the list after *change*: new rooms come first, known ones keep their place. */
export function changed({ rooms, mayBeMore }: Listing, { rooms: told, gone }: Listed): Listing {
  const made = without(told, rooms);
  const isLong = rooms.length > FULL_LIST;
  // The server also reports rooms as gone that newer ones pushed out of its page; a longer list keeps them.
  const isKept = ({ room }: RoomListing, index: number): boolean =>
    !gone.includes(room) || (isLong && index >= FULL_LIST - made.length);
  const kept = rooms.filter(isKept).map((known) => told.find(({ room }) => room === known.room) ?? known);
  return {
    rooms: [...made, ...kept],
    mayBeMore: mayBeMore || (!isLong && rooms.length + made.length > FULL_LIST),
  };
}

/** Return the list with *more* in place of everything after *last*, or appended if *last* is gone. */
export function continued(listing: Listing, last: number, more: readonly RoomListing[], mayBeMore: boolean): Listing {
  const place = listing.rooms.findIndex(({ room }) => room === last);
  const kept = place < 0 ? listing.rooms : listing.rooms.slice(0, place + 1);
  return { rooms: [...kept, ...without(more, kept)], mayBeMore };
}

function without(rooms: readonly RoomListing[], known: readonly RoomListing[]): readonly RoomListing[] {
  const numbers = new Set(known.map(({ room }) => room));
  return rooms.filter(({ room }) => !numbers.has(room));
}
