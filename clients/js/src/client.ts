/** A player's connection to a server: rooms to create, join and watch. */

import { newRef } from "./backoff.js";
import type { ConnectionOptions, ConnectionState } from "./connection.js";
import { DisconnectedError, InputError, RejectedError } from "./errors.js";
import type { AnyGame, GameTypes, TypesOf } from "./games.js";
import type { ClientMessage } from "./generated/messages.js";
import { type IdentityStore, MemoryIdentity } from "./identity.js";
import { checkQuestion, type Question, type ReplyTo, type Without } from "./requests.js";
import type { Room } from "./room.js";
import { Session, type SessionEvents } from "./session.js";
import { dialler, socketUrl, type WebSocketClass } from "./socket.js";
import { type Invitation, parseInvitation } from "./wire/codes.js";

export interface ConnectOptions extends Pick<ConnectionOptions, "agent" | "bot" | "cells" | "reclaims"> {
  readonly name?: string;
  /** The secret of an earlier connection (`client.token`), to be the same player again. */
  readonly token?: string | null;
  /** Where the player is kept, in place of *name* and *token*. */
  readonly identity?: IdentityStore;
  /** The websocket to use; needed before Node 22, which has none of its own. */
  readonly WebSocket?: WebSocketClass;
}

export interface RoomOptions<Game extends GameTypes = AnyGame> {
  readonly seats?: number | null;
  readonly options?: Partial<Game["options"]>;
  readonly roomOptions?: AnyGame["options"];
}

const QUICK_ATTEMPTS = 8;
/** Refusals of a join that mean that another player was faster. */
const SEAT_GONE = new Set(["room.full", "room.started", "room.ended", "room.unknown", "room.kept"]);

/** Connect to a server and return when it has welcomed the player; throw if it cannot be reached or refuses. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Client> {
  const { name, token, identity = new MemoryIdentity(name, token), WebSocket, ...others } = options;
  const address = socketUrl(url);
  const session = new Session(address, { ...others, identity, dial: dialler(WebSocket) });
  const client = new Client(session, identity);
  await start(session, address);
  return client;
}

/** Start a session and return when it is open; a first connection is not tried again. */
async function start(session: Session, address: string): Promise<void> {
  let stop = (): void => undefined;
  const opened = new Promise<void>((resolve, reject) => {
    stop = session.on("connection", (state) => {
      if (state.kind === "open") resolve();
      if (state.kind === "over") reject(state.error);
      if (state.kind === "waiting") session.close(new DisconnectedError(`${address} cannot be reached`));
    });
  });
  session.start();
  await opened.finally(() => stop());
}

/**
 * Breaks of the connection are repaired in the background. Calls wait meanwhile, but `room.ask` fails with
 * `client.disconnected`: sent twice, its requests could act twice.
 */
export class Client {
  constructor(
    private readonly session: Session,
    private readonly identity: IdentityStore,
  ) {
    session.on("connection", (state) => {
      if (state.kind === "over") for (const room of session.rooms.values()) room.close(state.error);
    });
  }

  /** The public id of the player. */
  get player(): string {
    return this.session.welcome?.player ?? "";
  }

  /** The name as the server shows it. */
  get name(): string {
    return this.session.welcome?.name ?? "";
  }

  /** The secret that makes the same player next time. */
  get token(): string | null {
    return this.identity.token;
  }

  get connection(): ConnectionState {
    return this.session.connection;
  }

  on<Name extends keyof SessionEvents>(name: Name, listener: (value: SessionEvents[Name]) => void): () => void {
    return this.session.on(name, listener);
  }

  /** Create a room and take a seat in it. */
  async create<Id extends string>(game: Id, options: RoomOptions<TypesOf<Id>> = {}): Promise<Room<TypesOf<Id>>> {
    const { room, key } = await this.session.ask({ type: "create", ...wish(game, options) }, true);
    return this.enter(room, key, "join");
  }

  /** Take a seat in an open room, or in a new one that bots fill after a while. */
  async quick<Id extends string>(game: Id, options: RoomOptions<TypesOf<Id>> = {}): Promise<Room<TypesOf<Id>>> {
    for (let attempt = 1; ; attempt += 1) {
      const { room, key } = await this.session.ask({ type: "quick", ...wish(game, options) }, true);
      try {
        return await this.enter(room, key, "join");
      } catch (error) {
        const wasTooSlow = error instanceof RejectedError && SEAT_GONE.has(error.code);
        if (!wasTooSlow || attempt === QUICK_ATTEMPTS) throw error;
      }
    }
  }

  /** Take a seat in a room, or return to one. The room is a code, an invitation, a link, or a number and its key. */
  async join<Id extends string>(room: string | number, key: string | null = null): Promise<Room<TypesOf<Id>>> {
    const found = invitationTo(room, key);
    return this.enter(found.room, found.key, "join");
  }

  /** Watch a room, given as for `join`. */
  async watch<Id extends string>(room: string | number, key: string | null = null): Promise<Room<TypesOf<Id>>> {
    const found = invitationTo(room, key);
    return this.enter(found.room, found.key, "watch");
  }

  /** Ask the server something, such as `games` or `ranking`; it is sent again after a break. */
  async ask<Message extends Without<Question, "ref">>(message: Message): Promise<ReplyTo<Message>> {
    checkQuestion(message);
    const request = { ...message, ref: newRef() } as unknown as Question;
    return this.session.ask(request, true) as Promise<ReplyTo<Message>>;
  }

  /** Close the connection for good; whatever waits fails with `client.closed`. */
  close(): void {
    this.session.close();
  }

  /** Enter a room, and return it when everything that the server says about it has arrived. */
  private async enter<Game extends GameTypes>(room: number, key: string | null, as: "join" | "watch") {
    const entered = await this.session.enter(room, key, as);
    await this.ask({ type: "ping" });
    return entered as unknown as Room<Game>;
  }
}

type Wish = Without<Extract<ClientMessage, { type: "create" }>, "type">;

function wish<Game extends GameTypes>(game: string, { seats = null, options, roomOptions }: RoomOptions<Game>): Wish {
  const chosen = (options ?? {}) as AnyGame["options"];
  return { ref: newRef(), game, seats, options: chosen, room_options: roomOptions ?? {} };
}

function invitationTo(room: string | number, key: string | null): Invitation {
  const found = typeof room === "number" ? { room, key } : parseInvitation(room);
  if (!found) throw new InputError(`${room} is not a room code, such as 2h0bc34`);
  return { room: found.room, key: key ?? found.key };
}
