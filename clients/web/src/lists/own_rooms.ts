/** The rooms in which the player sits. */

import type { Room, RoomListing } from "warroom-client";

/** The fields of a room that a list shows. */
export type Row = Pick<RoomListing, "room" | "code" | "game" | "phase" | "seats" | "taken" | "turn_ms" | "players">;

export function isOwn({ players }: Pick<Row, "players">, me: string | undefined): boolean {
  return players.some((each) => each.player === me);
}

/** Return rooms with the player's own first; private ones are in no list and come from *held*. */
export function ownFirst(rooms: readonly Row[], held: Iterable<Room>, me: string | undefined): readonly Row[] {
  const listed = new Set(rooms.map(({ room }) => room));
  const unlisted = [...held].filter((room) => !listed.has(room.number)).flatMap(rowOf);
  const all = [...unlisted, ...rooms];
  return [...all.filter((room) => isOwn(room, me)), ...all.filter((room) => !isOwn(room, me))];
}

/** Return a room as a list entry, with its key in the code, if the player has a seat there. */
function rowOf({ number, invitation, state, closed }: Room): readonly Row[] {
  const { about, phase, seat, seats } = state;
  if (!about || seat === null || closed !== null) return [];
  const players = seats.flatMap(({ player, name, bot }) => (player === null ? [] : [{ player, name, bot }]));
  const { game, room_options } = about;
  const sizes = { seats: about.seats, taken: players.length, turn_ms: Number(room_options.turn_ms) };
  return [{ room: number, code: invitation, game, phase, players, ...sizes }];
}
