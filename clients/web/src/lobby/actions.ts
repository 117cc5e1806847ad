/** The ways into a room. */

import { newRef } from "../client/backoff";
import type { View } from "../generated/messages";
import { go } from "../routes";
import { complain, session } from "../state";
import { invitation } from "../wire/codes";

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
  await safely(async () => {
    const { room, key } = await session.make({ type: "quick", ref: newRef(), game });
    await session.enter(room, key, "join");
    go({ at: "room", code: invitation(room, key) });
  });
}

/** Play against bots alone. */
export async function playBots(game: string): Promise<void> {
  await safely(() => createRoom({ game, fill: true }));
}

/** Create a room, sit down there, and let bots come if they are wished for; throw if there comes to be none. */
export async function createRoom(wish: Wish): Promise<void> {
  const { room, key } = await session.make({
    type: "create",
    ref: newRef(),
    game: wish.game,
    seats: wish.seats ?? null,
    options: wish.options ?? {},
    room_options: wish.roomOptions ?? {},
  });
  const entered = await session.enter(room, key, "join");
  go({ at: "room", code: invitation(room, key) });
  if (wish.fill) await entered.ask({ type: "fill" }).catch(complain);
}

export async function join(number: number, key: string | null): Promise<void> {
  await safely(async () => {
    await session.enter(number, key, "join");
    go({ at: "room", code: invitation(number, key) });
  });
}

async function safely(doing: () => Promise<void>): Promise<void> {
  try {
    await doing();
  } catch (error) {
    complain(error);
  }
}
