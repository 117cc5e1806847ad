/** The ways into a room. Each throws on failure, and leaves users alone who went elsewhere meanwhile. */

import { newRef, RejectedError, type Room, type View } from "warroom-client";
import { go, href, type Route, route } from "../routes";
import { note, session, showError } from "../state";

export interface RoomSettings {
  readonly game: string;
  readonly seats?: number | null;
  readonly options?: { readonly [key: string]: View };
  readonly roomOptions?: { readonly [key: string]: View };
  /** Fill every other seat with bots at once. */
  readonly fill?: boolean;
}

/** Play against anyone who is there; bots fill the seats that stay open. */
export async function playNow(game: string): Promise<void> {
  const quick = async (): Promise<Room> => {
    const { room, key } = await session.ask({ type: "quick", ref: newRef(), game }, true);
    return session.enter(room, key, "join");
  };
  await lead(() => quick().catch((error) => (wasTooSlow(error) ? quick() : Promise.reject(error))));
}

/** Whether another player took the last seat meanwhile; a retry finds another room. */
function wasTooSlow(error: unknown): boolean {
  return error instanceof RejectedError && (error.code === "room.full" || error.code === "room.started");
}

/** Play against bots only. */
export function playBots(game: string): Promise<void> {
  return createRoom({ game, fill: true });
}

/** Create a room, join it, and fill it with bots if wanted; leave it if it is no longer *isWanted*. */
export async function createRoom(settings: RoomSettings, isWanted?: () => boolean): Promise<void> {
  const entered = await lead(async () => {
    const { game, seats = null, options = {}, roomOptions = {} } = settings;
    const request = { type: "create", ref: newRef(), game, seats, options, room_options: roomOptions } as const;
    const { room, key } = await session.ask(request, true);
    return session.enter(room, key, "join");
  }, isWanted);
  if (settings.fill) await entered?.ask({ type: "fill" }).catch(showError);
}

export async function join(number: number, key: string | null): Promise<void> {
  await lead(() => session.enter(number, key, "join"));
}

/** Go to the taken seat, unless the user moved on: the answer may come late. */
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
  else if (here !== href(to)) note("Your seat is ready.", false, to);
  return room;
}
