/** The connection over its lifetime: requests, incoming messages, and reconnects. */

import { batch, signal } from "@preact/signals";

import type { ClientMessage, Created, JoinRequest, ServerMessage, WatchRequest, Welcome } from "../generated/messages";
import { decodeServer, encodeClient } from "../wire/codec";
import { delayBefore, newRef, retryTemporary } from "./backoff";
import { inWords, Lost, moving, Refused, sentence } from "./errors";
import type { Identity } from "./identity";
import { Readmission } from "./readmission";
import { isAbout, type Request, Requests } from "./requests";
import { Room } from "./room";
import { SerialTasks } from "./serial_tasks";

/** The connection state: `open` after the welcome, `over` if a reconnect cannot help. */
export type LineState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly attempt: number }
  | { readonly kind: "over"; readonly why: string };

/** What the session needs of a websocket. */
export type Socket = Pick<WebSocket, "send" | "close" | "onopen" | "onmessage" | "onclose" | "binaryType">;
export type Dial = (url: string) => Socket;

const AGENT = "warroom page";
const FINAL_CLOSES = new Set([1002, 1003, 1007, 1009, 4001, 4002, 4005]);
const PING_MS = 10_000;
const SILENCE_MS = 8_000;
const STEADY_MS = 10_000;
/** Timeout of an entry; the answer is lost if the room's server dies. */
export const ANSWER_MS = 10_000;
/** Time limit for entering a room that is moving. */
export const ENTERING_MS = 30_000;

export class Session {
  readonly line = signal<LineState>({ kind: "connecting" });
  readonly welcome = signal<Welcome | null>(null);
  readonly rooms = new Map<number, Room>();
  /** Listeners for messages without a room or a request, such as `listed`. */
  readonly listeners = new Set<(message: ServerMessage) => void>();
  /** Called when the connection is up again. */
  readonly returns = new Set<() => void>();
  private socket: Socket | null = null;
  private isOpen = false;
  private attempt = 0;
  private openedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;
  private readonly requests = new Requests();
  /** Rooms not entered again on this connection yet. */
  private readonly away = new Map<number, Readmission>();
  /** Entering and leaving a room happen one at a time, so that neither finds it half entered. */
  private readonly tasks = new SerialTasks<number>();
  private sentToken: string | null = null;

  constructor(
    private readonly url: string,
    readonly identity: Identity,
    private readonly dial: Dial = (address) => new WebSocket(address),
    readonly now: () => number = () => performance.now(),
  ) {}

  start(): void {
    this.connect();
  }

  /** Reconnect at once: the browser is online again, or the page is visible again. */
  hurry(): void {
    if (this.line.value.kind === "waiting") this.connect();
    else if (this.isOpen) this.beat();
  }

  /** Say hello again, under another name or as another tab's player. */
  restart(): void {
    this.attempt = 0;
    this.hangUp();
    this.connect();
  }

  // --- requests ---------------------------------------------------------------------------------------------------

  /** Send a request and return its reply; one that *survives* is sent again after a break. */
  ask(message: Request, survives = false): Promise<ServerMessage> {
    return new Promise((resolve, reject) => {
      if (!survives && !this.canSend(message)) {
        reject(this.isOpen ? moving() : new Lost());
        return;
      }
      this.requests.set(message.ref, { message, survives, resolve, reject });
      this.tell(message);
    });
  }

  /** Send a request; reject it as `moving` if an open connection brings no answer in time. */
  private askInTime(message: Request, survives = false): Promise<ServerMessage> {
    const reply = this.ask(message, survives);
    const expire = (): void => {
      if (this.isOpen) this.requests.take(message.ref)?.reject(moving("the room gives no answer"));
      else if (this.requests.has(message.ref)) setTimeout(expire, ANSWER_MS);
    };
    setTimeout(expire, ANSWER_MS);
    return reply;
  }

  /** Send a message if the connection is up; whatever matters is sent again after a break. */
  tell(message: ClientMessage): void {
    if (this.canSend(message)) this.send(message);
    else if (this.line.peek().kind === "over") this.hangUp(true);
  }

  /** Create a room, or find an open one (`quick`), and return it. */
  async make(message: Extract<ClientMessage, { type: "create" | "quick" }>): Promise<Created> {
    return (await this.ask(message, true)) as Created;
  }

  /** Enter a room as a player or spectator, and wait a while if it is moving; return a room that is already held. */
  enter(number: number, key: string | null, as: "join" | "watch"): Promise<Room> {
    const until = this.now() + ENTERING_MS;
    const isWanted = (error: unknown): boolean =>
      error instanceof Refused && error.code === "room.moving" && this.now() < until;
    return retryTemporary(() => this.tryToEnter(number, key, as), isWanted);
  }

  /** Enter a room once. */
  tryToEnter(number: number, key: string | null, as: "join" | "watch"): Promise<Room> {
    return this.tasks.run(number, () => this.enterNow(number, key, as));
  }

  private async enterNow(number: number, key: string | null, as: "join" | "watch"): Promise<Room> {
    const held = this.rooms.get(number);
    const known = held?.closed.value === null ? held : undefined;
    if (known && (as === "watch" || known.state.value.seat !== null)) return known;
    const room = known ?? this.open(number, key);
    const request: JoinRequest | WatchRequest = { type: as, ref: newRef(), room: number, key };
    try {
      await this.askInTime(request, true);
    } catch (error) {
      if (!known) this.forget(room);
      else if (this.away.has(number)) this.returnTo(known);
      throw error;
    }
    this.away.delete(number);
    return room;
  }

  private open(number: number, key: string | null): Room {
    const room = new Room(this, number, key, this.welcome.value?.player ?? "");
    this.rooms.set(number, room);
    return room;
  }

  /** Leave a room, if that is still wanted when its turn comes; in the lobby this frees the seat. */
  leave(number: number, isWanted: (room: Room) => boolean = () => true): void {
    void this.tasks.run(number, async () => {
      const room = this.rooms.get(number);
      if (!room || !isWanted(room)) return;
      this.forget(room);
      if (!room.closed.value) this.ask({ type: "leave", ref: newRef(), room: number }).catch(() => undefined);
    });
  }

  // --- connection -------------------------------------------------------------------------------------------------

  private connect(): void {
    clearTimeout(this.timer);
    if (this.socket) return;
    if (this.line.value.kind !== "waiting") this.line.value = { kind: "connecting" };
    const socket = this.dial(this.url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.greet(socket);
    socket.onmessage = (event: MessageEvent) => this.hear(socket, event.data);
    socket.onclose = (event: CloseEvent) => this.lost(socket, event.code, event.reason);
    this.socket = socket;
  }

  private greet(socket: Socket): void {
    if (socket !== this.socket) return;
    this.sentToken = this.identity.token;
    this.openedAt = this.now();
    this.send({
      type: "hello",
      ref: newRef(),
      versions: [1],
      name: this.identity.name,
      token: this.sentToken,
      agent: AGENT,
    });
  }

  private welcomed(welcome: Welcome): void {
    if (!this.identity.welcome(this.sentToken, welcome.token)) {
      this.restart(); // another tab of this browser created a player meanwhile: use it
      return;
    }
    this.isOpen = true;
    batch(() => {
      this.welcome.value = welcome;
      this.line.value = { kind: "open" };
    });
    const entered = [...this.rooms.values()].filter((room) => room.state.value.about !== null);
    for (const room of entered) void this.readmit(room);
    for (const { message, survives } of this.requests.values())
      if (survives && !this.isAway(message)) this.send(message);
    for (const returned of this.returns) returned();
    this.beat();
  }

  private lost(socket: Socket, code: number, reason: string): void {
    if (socket !== this.socket) return;
    // A failed dial says nothing about the stability of the last connection.
    if (this.isOpen && this.now() - this.openedAt > STEADY_MS) this.attempt = 0;
    const isOver = FINAL_CLOSES.has(code);
    this.hangUp(isOver);
    if (isOver) {
      this.line.value = { kind: "over", why: sentence(reason || `the server closed the connection (${code})`) };
      return;
    }
    this.line.value = { kind: "waiting", attempt: this.attempt };
    this.timer = setTimeout(() => this.connect(), delayBefore(this.attempt));
    this.attempt += 1;
  }

  /** Drop the connection and fail requests that can get no answer: all of them if it *isOver* for good. */
  private hangUp(isOver = false): void {
    const socket = this.socket;
    this.socket = null;
    this.isOpen = false;
    this.away.clear();
    clearTimeout(this.pulse);
    clearTimeout(this.timer);
    socket?.close();
    this.requests.fail(new Lost(), (_, survives) => isOver || !survives);
    if (isOver) for (const room of this.rooms.values()) room.giveUp();
  }

  /** Ping now and then: a connection can die silently. */
  private beat(): void {
    clearTimeout(this.pulse);
    const socket = this.socket;
    if (!socket) return;
    const silence = setTimeout(() => this.lost(socket, 1006, ""), SILENCE_MS);
    this.ask({ type: "ping", ref: newRef() })
      .then(() => {
        if (socket === this.socket) this.pulse = setTimeout(() => this.beat(), PING_MS);
      })
      .catch(() => undefined)
      .finally(() => clearTimeout(silence));
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
      if (!(await readmission.run(() => this.askBack(room), isWanted))) return;
    } catch (error) {
      if (isWanted()) this.shut(room, inWords(error));
      return;
    }
    this.away.delete(room.number);
    for (const act of room.waiting) this.send(act);
    for (const { message } of this.requests.values()) if (isAbout(room.number, message)) this.send(message);
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
    await this.ask({ type: "ping", ref: newRef() });
  }

  private reclaim(room: Room): void {
    if (room.takesBack()) room.ask({ type: "reclaim" }).catch(() => undefined);
  }

  private heal(room: Room, reason: string): void {
    const isWanted = (): boolean => room.isStale && this.rooms.get(room.number) === room && this.isOpen;
    const resync = () => this.ask({ type: "resync", ref: newRef(), room: room.number, reason });
    retryTemporary(resync, isWanted).catch(() => undefined);
  }

  // --- incoming messages ------------------------------------------------------------------------------------------

  private hear(socket: Socket, data: unknown): void {
    if (socket !== this.socket || !(data instanceof ArrayBuffer)) return;
    const message = decodeServer(new Uint8Array(data));
    if (message) batch(() => this.dispatch(message));
  }

  private dispatch(message: ServerMessage): void {
    if (message.type === "welcome") this.welcomed(message);
    else if (message.type === "error") this.refuse(message.ref, message.code, message.detail);
    else if (message.type === "joined" || message.type === "resumed") {
      this.deliver(message.room, message);
      this.requests.take(message.ref)?.resolve(message);
    } else if (message.type === "notice") this.notice(message);
    else if ("ref" in message) this.requests.take(message.ref)?.resolve(message);
    else if ("room" in message) this.deliver(message.room, message);
    for (const listener of this.listeners) listener(message);
  }

  private notice(message: Extract<ServerMessage, { type: "notice" }>): void {
    if (message.room === null) return;
    this.deliver(message.room, message);
    const room = this.rooms.get(message.room);
    if (message.code === "room.moved" && room) this.follow(room);
    const isClosed = room?.state.peek().about?.room_options.watch === "nobody";
    if (room && (message.code === "room.left" || (message.code === "room.kicked" && isClosed)))
      this.shut(room, sentence(message.detail));
  }

  /** Enter a room again that moved, and refuse its open requests. */
  private follow(room: Room): void {
    this.requests.fail(moving(), (message) => isAbout(room.number, message, true));
    // A first entry is retried by its caller.
    if (room.state.peek().about !== null) this.returnTo(room);
  }

  /** Drop a room that can no longer be followed. */
  private shut(room: Room, why: string): void {
    this.forget(room);
    room.close(why);
  }

  private forget(room: Room): void {
    this.rooms.delete(room.number);
    this.away.delete(room.number);
    this.requests.fail(new Lost(), (message) => isAbout(room.number, message));
  }

  private deliver(number: number, message: ServerMessage): void {
    const room = this.rooms.get(number);
    if (!room) return;
    const resync = room.receive(message);
    if (resync) this.heal(room, resync);
    if (message.type === "seats" && !this.away.has(number)) this.reclaim(room);
  }

  private refuse(ref: number | null, code: string, detail: string): void {
    if (code === "hello.token" && this.sentToken !== null) {
      this.identity.forget(this.sentToken); // a server that does not know us: become a new player there
      this.restart();
      return;
    }
    if (ref !== null) this.requests.take(ref)?.reject(new Refused(code, detail));
  }

  private canSend(message: ClientMessage): boolean {
    return this.isOpen && !this.isAway(message);
  }

  /** Whether a message is for a room that was not entered again yet. */
  private isAway(message: ClientMessage): boolean {
    return [...this.away.keys()].some((room) => isAbout(room, message));
  }

  private send(message: ClientMessage): void {
    this.socket?.send(encodeClient(message));
  }
}
