/** The ways into a room. Each throws if it leads nowhere, and takes nobody along who has gone elsewhere meanwhile. */

import { newRef } from "../client/backoff";
import { Refused } from "../client/errors";
import type { Room } from "../client/room";
import type { View } from "../generated/messages";
import { go, href, type Route, route } from "../routes";
import { complain, note, session } from "../state";

export interface Wish {
  readonly game: string;
  readonly seats?: number | null;
  readonly options?: { readonly [key: string]: View };
  readonly roomOptions?: { readonly [key: string]: View };
  /** Let bots take every other seat at once. */
  readonly fill?: boolean;
}

/** Play against anybody who is there; bots take the seats that stay open. */
export async function playNow(game: string): Promise<void> {
  const quick = async (): Promise<Room> => {
    const { room, key } = await session.make({ type: "quick", ref: newRef(), game });
    return session.enter(room, key, "join");
  };
  await lead(() => quick().catch((error) => (wasTooSlow(error) ? quick() : Promise.reject(error))));
}

/** Whether somebody else took the last seat between question and answer: another question leads to another room. */
function wasTooSlow(error: unknown): boolean {
  return error instanceof Refused && (error.code === "room.full" || error.code === "room.started");
}

/** Play against bots alone. */
export function playBots(game: string): Promise<void> {
  return createRoom({ game, fill: true });
}

/** Create a room, sit down there, let bots come if they are wished for; leave it if it is not *isWanted* by then. */
export async function createRoom(wish: Wish, isWanted?: () => boolean): Promise<void> {
  const entered = await lead(async () => {
    const { room, key } = await session.make({
      type: "create",
      ref: newRef(),
      game: wish.game,
      seats: wish.seats ?? null,
      options: wish.options ?? {},
      room_options: wish.roomOptions ?? {},
    });
    return session.enter(room, key, "join");
  }, isWanted);
  if (wish.fill) await entered?.ask({ type: "fill" }).catch(complain);
}

export async function join(number: number, key: string | null): Promise<void> {
  await lead(() => session.enter(number, key, "join"));
}

/** Go where a seat was taken, if that is not too late: an answer may come long after the question. */
async function lead(enter: () => Promise<Room>, isWanted = () => true): Promise<Room | null> {
  const asked = href(route.value);
  const room = await enter();
  if (!isWanted()) {
    session.leave(room.number);
    return null;
  }
  const to: Route = { at: "room", code: room.invitation };
  const here = href(route.value);
  if (here === asked) go(to);
  else if (here !== href(to)) note("The seat that you asked for is yours.", false, to);
  return room;
}
