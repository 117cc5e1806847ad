// A program of a user, which only has to compile: without types of a browser or of Node, as strictly as possible.
import { connect, type Games, type Room, type RoomEvents, WarroomError } from "warroom-client";
import type { Action, PublicView } from "warroom-client/games/strata";
import { checksum, decodeServer } from "warroom-client/wire";

interface View {
  readonly pile: number;
}

declare module "warroom-client" {
  interface Games {
    nim: {
      readonly public: View;
      readonly private: null;
      readonly action: { readonly type: "take"; readonly count: number };
      readonly event: { readonly type: "taken" };
      readonly options: { readonly pile: number; readonly least: number };
    };
  }
}

type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;

export async function play(code: string): Promise<void> {
  const client = await connect("ws://127.0.0.1:8000/ws", { name: "Ada" });
  const room = await client.create("nim", { seats: 2, options: { pile: 12 } });
  const pile: number | undefined = room.state.public?.pile;
  room.on("update", ({ events: [event] }) => event?.type satisfies "taken" | undefined);
  await room.act({ type: "take", count: pile ?? 1 });
  // @ts-expect-error there is no such action
  await room.act({ type: "give", count: 1 });
  // @ts-expect-error there is no such option
  await client.create("nim", { options: { height: 12 } });

  const strata = await client.join<"strata">(code);
  const same: Same<typeof strata, Room<Games["strata"]>> = true;
  const { actions } = await strata.legal();
  const view: PublicView | null = strata.state.public;
  const action: Action | undefined = actions[0];
  const unknown = await client.watch(code);
  const listen = (event: RoomEvents["prompt"]): number => event.turn;
  unknown.on("prompt", listen);
  const { games } = await client.ask({ type: "games" });
  const { players } = await client.ask({ type: "ranking", game: games[0]?.game ?? "strata" });
  // @ts-expect-error a ranking is of a game
  await client.ask({ type: "ranking" });
  // @ts-expect-error it would be sent twice after a break
  await client.ask({ type: "say", room: 1, text: "" });
  await unknown.ask({ type: "say", text: `${same} ${view?.seat} ${action} ${players.length}` });
  throw new WarroomError("mine", String(checksum(null)) + String(decodeServer(new Uint8Array())));
}
