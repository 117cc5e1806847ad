/** A player's session: requests, rooms, and what is sent again after a break of the connection. */

import { delayBefore, HEALING_MS, newRef, rest, retryTemporary } from "./backoff.js";
import type { Cells } from "./cells.js";
import { Connection, type ConnectionOptions, type ConnectionState, type Owner } from "./connection.js";
import { Emitter } from "./emitter.js";
import { DisconnectedError, isTemporary, moving, RejectedError, WarroomError } from "./errors.js";
import type {
  ClientMessage,
  Joined,
  JoinRequest,
  Resumed,
  ServerMessage,
  WatchRequest,
  Welcome,
} from "./generated/messages.js";
import { Readmission } from "./readmission.js";
import { isAbout, type ReplyTo, type Request, Requests } from "./requests.js";
import { type Line, Room } from "./room.js";
import { SerialTasks } from "./serial_tasks.js";
import { encodeClient } from "./wire/codec.js";

export interface SessionEvents {
  readonly connection: ConnectionState;
  /** Any message of the server, such as `listed`. */
  readonly message: ServerMessage;
}

/** Timeout of an entry; the answer is lost if the room's server dies. */
export const ANSWER_MS = 10_000;
/** Time limit for entering a room that is moving. */
export const ENTERING_MS = 30_000;

export class Session implements Line, Owner {
  readonly rooms = new Map<number, Room>();
  private readonly line: Connection;
  private readonly events = new Emitter<SessionEvents>();
  private readonly requests = new Requests();
  /** Rooms not entered again on this connection yet. */
  private readonly away = new Map<number, Readmission>();
  /** Entering and leaving a room happen one at a time, so that neither finds it half entered. */
  private readonly tasks = new SerialTasks<number>();

  constructor(
    url: string,
    private readonly options: ConnectionOptions,
  ) {
    this.line = new Connection(url, options, this);
  }

  get connection(): ConnectionState {
    return this.line.state;
  }

  /** The latest welcome; null before the first. */
  get welcome(): Welcome | null {
    return this.line.welcome;
  }

  get cells(): Cells {
    return this.line.cells;
  }

  now(): number {
    return this.line.now();
  }

  on<Name extends keyof SessionEvents>(name: Name, listener: (value: SessionEvents[Name]) => void): () => void {
    return this.events.on(name, listener);
  }

  start(): void {
    this.line.start();
  }

  /** Reconnect at once: the browser is online again, or the page is visible again. */
  hurry(): void {
    this.line.hurry();
  }

  /** Say hello again, under another name or as another tab's player. */
  restart(): void {
    this.line.restart();
  }

  /** Close the connection for good; everything that waits fails with *error*. */
  close(error: WarroomError = new DisconnectedError("the connection is closed", "client.closed")): void {
    this.line.end(error);
  }

  // --- requests ---------------------------------------------------------------------------------------------------

  /** Send a request and return its reply; one that *survives* is sent again after a break. */
  async ask<Message extends Request>(message: Message, survives = false): Promise<ReplyTo<Message>> {
    encodeClient(message); // throws now what could not be sent later
    if (!survives && !this.canSend(message)) throw this.line.isOpen ? moving() : this.downtime();
    const reply = await new Promise<ServerMessage>((resolve, reject) => {
      this.requests.set(message.ref, { message, survives, resolve, reject });
      this.tell(message);
    });
    return reply as unknown as ReplyTo<Message>;
  }

  /** Send a request; reject it as `moving` if an open connection brings no answer in time. */
  private async askInTime(message: Request, survives = false): Promise<void> {
    const expire = (): void => {
      if (this.line.isOpen) this.requests.take(message.ref)?.reject(moving("the room gives no answer"));
      else timer = setTimeout(expire, ANSWER_MS);
    };
    let timer = setTimeout(expire, ANSWER_MS);
    await this.ask(message, survives).finally(() => clearTimeout(timer));
  }

  /** Send a message if the connection is up; whatever matters is sent again after a break. */
  tell(message: ClientMessage): void {
    const { state } = this.line.peek();
    if (this.canSend(message)) this.line.send(message);
    else if (state.kind === "over") this.broken(state.error);
  }

  /** Enter a room as a player or spectator, and wait a while if it is moving; return a room that is already held. */
  enter(number: number, key: string | null, as: "join" | "watch"): Promise<Room> {
    const until = this.now() + ENTERING_MS;
    const isWanted = (error: unknown): boolean =>
      error instanceof RejectedError && error.code === "room.moving" && this.now() < until;
    return retryTemporary(() => this.tryToEnter(number, key, as), isWanted);
  }

  /** Enter a room once. */
  tryToEnter(number: number, key: string | null, as: "join" | "watch"): Promise<Room> {
    return this.tasks.run(number, () => this.enterNow(number, key, as));
  }

  private async enterNow(number: number, key: string | null, as: "join" | "watch"): Promise<Room> {
    const held = this.rooms.get(number);
    const known = held?.closed === null ? held : undefined;
    if (known && (as === "watch" || known.state.seat !== null)) return known;
    const room = known ?? this.open(number, key);
    const request: JoinRequest | WatchRequest = { type: as, ref: newRef(), room: number, key };
    try {
      await this.askInTime(request, true);
    } catch (error) {
      if (!known) this.forget(room);
      else if (this.away.has(number)) this.returnTo(known);
      throw error;
    }
    return room;
  }

  private open(number: number, key: string | null): Room {
    const room = new Room(this, number, key, this.line.peek().player);
    this.rooms.set(number, room);
    return room;
  }

  /** Leave a room, if that is still wanted when its turn comes; in the lobby this frees the seat, also after a break. */
  async leave(number: number, isWanted: (room: Room) => boolean = () => true): Promise<void> {
    let told: Promise<void> | undefined;
    await this.tasks.run(number, async () => {
      const room = this.rooms.get(number);
      if (!room || !isWanted(room)) return;
      const isFollowed = room.closed === null;
      this.shut(room, new DisconnectedError("the room was left", "client.closed"));
      if (isFollowed) told = this.goOut(room); // nobody who enters again has to wait for the answer
    });
    await told;
  }

  /** Tell the server. A lost connection has left the room, but not its seat in the lobby. */
  private async goOut(room: Room): Promise<void> {
    const keepsSeat = room.state.seat !== null && room.state.phase === "lobby";
    try {
      await this.askToLeave(room);
    } catch (error) {
      if (keepsSeat && isOutside(error)) await this.tasks.run(room.number, () => this.freeSeat(room));
    }
  }

  /** Enter a room once more to leave it, unless it is wanted again. */
  private async freeSeat(room: Room): Promise<void> {
    for (let count = 0; !this.rooms.has(room.number); count += 1) {
      try {
        await this.askInTime(room.wayBack(newRef()), true);
        await this.askToLeave(room);
        return;
      } catch (error) {
        if (!isOutside(error)) return;
      }
      if (this.line.isOpen) await rest(delayBefore(count, HEALING_MS));
    }
  }

  private askToLeave({ number }: Room): Promise<void> {
    return this.askInTime({ type: "leave", ref: newRef(), room: number });
  }

  // --- for the connection -----------------------------------------------------------------------------------------

  /** The connection turned: enter the rooms again, and send again what waits. */
  turned(state: ConnectionState): void {
    if (state.kind === "open") this.returnToAll();
    this.events.emit("connection", state);
  }

  private returnToAll(): void {
    for (const room of this.rooms.values()) if (room.isEntered) void this.readmit(room);
    for (const { message, survives } of this.requests.values())
      if (survives && !this.isAway(message)) this.line.send(message);
  }

  /** Fail requests that can get no answer: all of them after an *error*, which is for good. */
  broken(error?: WarroomError): void {
    this.away.clear();
    this.requests.fail(error ?? new DisconnectedError(), (_, survives) => error !== undefined || !survives);
    if (error) for (const room of this.rooms.values()) room.giveUp(error);
  }

  ping(): Promise<unknown> {
    return this.ask({ type: "ping", ref: newRef() });
  }

  /** Enter a room again; a running attempt is followed by another one. */
  private returnTo(room: Room): void {
    const readmission = this.away.get(room.number);
    if (readmission) readmission.moved();
    else void this.readmit(room);
  }

  /** Enter a room again, after a reconnect or because it moved, and resend its unanswered messages. */
  private async readmit(room: Room): Promise<void> {
    const readmission = new Readmission();
    const isWanted = (): boolean => this.away.get(room.number) === readmission;
    this.away.set(room.number, readmission);
    try {
      do {
        if (!(await readmission.run(() => this.askBack(room), isWanted))) return;
      } while (readmission.hasMoved || !isWanted()); // what came before this could go on counts as well
    } catch (error) {
      if (isWanted()) this.shut(room, error as WarroomError);
      return;
    }
    this.away.delete(room.number);
    for (const act of room.waiting) this.line.send(act);
    for (const { message } of this.requests.values()) if (isAbout(room.number, message)) this.line.send(message);
    this.reclaim(room);
  }

  /** Whether a join of the room is pending. */
  private isJoining(room: number): boolean {
    return [...this.requests.values()].some(
      ({ message: it, survives }) => survives && it.type === "join" && it.room === room,
    );
  }

  private async askBack(room: Room): Promise<void> {
    if (this.isJoining(room.number)) throw moving(); // the join enters the room; watching again would undo it
    await this.askInTime(room.wayBack(newRef()));
    // The resume includes the verdict of the last action. The pong proves that everything of the resume has arrived;
    // only actions that are still unanswered then are sent again.
    await this.ping();
  }

  private reclaim(room: Room): void {
    if (this.options.reclaims !== false && room.takesBack()) room.ask({ type: "reclaim" }).catch(() => undefined);
  }

  private heal(room: Room, reason: string): void {
    const isWanted = (): boolean => room.isStale && this.rooms.get(room.number) === room && this.line.isOpen;
    const resync = () => this.ask({ type: "resync", ref: newRef(), room: room.number, reason });
    retryTemporary(resync, isWanted).catch(() => undefined);
  }

  /** Handle a message of the server. */
  received(message: ServerMessage): void {
    if (message.type === "error") this.refuse(message.ref, message.code, message.detail);
    else if (message.type === "joined" || message.type === "resumed") {
      this.deliver(message.room, message);
      this.admitted(message);
    } else if (message.type === "notice") this.notice(message);
    else if ("ref" in message) this.requests.take(message.ref)?.resolve(message);
    else if ("room" in message) this.deliver(message.room, message);
    this.events.emit("message", message);
  }

  private admitted(message: Joined | Resumed): void {
    const waiting = this.requests.take(message.ref);
    // Now and not in a later microtask, because the next message may be that the room has moved.
    if (waiting?.survives) this.away.delete(message.room);
    waiting?.resolve(message);
  }

  private notice(message: Extract<ServerMessage, { type: "notice" }>): void {
    if (message.room === null) return;
    this.deliver(message.room, message);
    const room = this.rooms.get(message.room);
    if (message.code === "room.moved" && room) this.follow(room);
    const isClosed = room?.state.about?.room_options.watch === "nobody";
    if (room && (message.code === "room.left" || (message.code === "room.kicked" && isClosed)))
      this.shut(room, new RejectedError(message.code, message.detail));
  }

  /** Enter a room again that moved, and refuse its open requests. */
  private follow(room: Room): void {
    this.requests.fail(moving(), (message) => isAbout(room.number, message, true));
    // A first entry is retried by its caller.
    if (room.isEntered) this.returnTo(room);
  }

  /** Drop a room that can no longer be followed. */
  private shut(room: Room, why: WarroomError): void {
    this.forget(room);
    room.close(why);
  }

  private forget(room: Room): void {
    this.rooms.delete(room.number);
    this.away.delete(room.number);
    this.requests.fail(new DisconnectedError(), (message) => isAbout(room.number, message));
  }

  private deliver(number: number, message: ServerMessage): void {
    const room = this.rooms.get(number);
    if (!room) return;
    const resync = room.receive(message);
    if (resync) this.heal(room, resync);
    if (message.type === "seats" && !this.away.has(number)) this.reclaim(room);
  }

  private refuse(ref: number | null, code: string, detail: string): void {
    if (ref !== null) this.requests.take(ref)?.reject(new RejectedError(code, detail));
  }

  /** Why nothing can be sent. */
  private downtime(): WarroomError {
    const { state } = this.line.peek();
    return state.kind === "over" ? state.error : new DisconnectedError();
  }

  private canSend(message: ClientMessage): boolean {
    return this.line.isOpen && !this.isAway(message);
  }

  /** Whether a message is for a room that was not entered again yet. */
  private isAway(message: ClientMessage): boolean {
    return [...this.away.keys()].some((room) => isAbout(room, message));
  }
}

/** Whether a `leave` failed that would succeed from inside the room. */
function isOutside(error: unknown): boolean {
  const codes = ["client.disconnected", "room.not_here"];
  return isTemporary(error) || (error instanceof WarroomError && codes.includes(error.code));
}
