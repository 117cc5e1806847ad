/** The list of rooms as it changes, the newest first. */

import type { Listed, RoomListing } from "../generated/messages";

/** As many rooms the server tells at once, and keeps up to date; where it tells fewer, there are no more. */
export const FULL_LIST = 100;

export interface Listing {
  readonly rooms: readonly RoomListing[];
  /** Whether older ones may follow the last. */
  readonly mayBeMore: boolean;
}

/** Return the list that begins, or begins anew; what *former* had beyond a full one stays until that is told anew. */
export function begun(rooms: readonly RoomListing[], former: Listing | null = null): Listing {
  const isFull = rooms.length >= FULL_LIST;
  const beyond = isFull ? without(former?.rooms.slice(FULL_LIST) ?? [], rooms) : [];
  return { rooms: [...rooms, ...beyond], mayBeMore: beyond.length ? former?.mayBeMore === true : isFull };
}

/** Return the list after *change*: what is new comes first, what is known stays in its place. */
export function changed({ rooms, mayBeMore }: Listing, { rooms: told, gone }: Listed): Listing {
  const made = without(told, rooms);
  const isLong = rooms.length > FULL_LIST;
  // Who is only pushed out by newer ones is told as gone, too; in a list that goes on further it stays.
  const isKept = ({ room }: RoomListing, index: number): boolean =>
    !gone.includes(room) || (isLong && index >= FULL_LIST - made.length);
  const kept = rooms.filter(isKept).map((known) => told.find(({ room }) => room === known.room) ?? known);
  return {
    rooms: [...made, ...kept],
    mayBeMore: mayBeMore || (!isLong && rooms.length + made.length > FULL_LIST),
  };
}

/** Return the list with *more* in the place of all that followed *last* in it; after all, if that one is gone meanwhile. */
export function continued(listing: Listing, last: number, more: readonly RoomListing[], mayBeMore: boolean): Listing {
  const place = listing.rooms.findIndex(({ room }) => room === last);
  const kept = place < 0 ? listing.rooms : listing.rooms.slice(0, place + 1);
  return { rooms: [...kept, ...without(more, kept)], mayBeMore };
}

function without(rooms: readonly RoomListing[], known: readonly RoomListing[]): readonly RoomListing[] {
  const numbers = new Set(known.map(({ room }) => room));
  return rooms.filter(({ room }) => !numbers.has(room));
}
