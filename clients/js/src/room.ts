/** A room that was entered: the latest state, the steps that led there, and the actions of the own seat. */

import { newRef, retryTemporary } from "./backoff.js";
import type { Cell, Cells } from "./cells.js";
import type { RoomClock } from "./clock.js";
import { PatientEmitter } from "./emitter.js";
import { DisconnectedError, RejectedError, type WarroomError } from "./errors.js";
import type { AnyGame, GameTypes } from "./games.js";
import type {
  About,
  ActRequest,
  ClientMessage,
  Done,
  Ended,
  Expired,
  JoinRequest,
  Moved,
  Notice,
  Prompt,
  Said,
  SeatState,
  ServerMessage,
  Verdict,
  View,
  WatchRequest,
} from "./generated/messages.js";
import { Mirror, type Step as PlainStep, type Reception } from "./mirror.js";
import type { ReplyTo, Request, RoomRequest } from "./requests.js";
import { encodeClient } from "./wire/codec.js";
import { invitation, roomCode } from "./wire/codes.js";

/** The latest state; a new value after every change. */
export interface RoomState<Game extends GameTypes = AnyGame> {
  readonly about: About | null;
  /** `lobby`, `playing` or `ended`. */
  readonly phase: string;
  /** The own seat; null for a spectator. */
  readonly seat: number | null;
  readonly host: string | null;
  readonly seats: readonly SeatState[];
  readonly watching: number;
  /** What everyone sees, and what the own seat sees besides; null before the match. */
  readonly public: Game["public"] | null;
  readonly private: Game["private"] | null;
  /** The position in the streams of updates. */
  readonly life: number;
  readonly p: number;
  readonly q: number;
  readonly clock: RoomClock;
  /** The open decision of the own seat. */
  readonly prompt: Prompt | null;
  readonly paused: string | null;
  readonly pauseEnds: number | null;
  readonly ended: Ended | null;
  readonly offers: readonly (readonly [string, readonly number[]])[];
  /** The room of the rematch. */
  readonly moved: Moved | null;
  /** Whether checksums keep failing, so that the views may be wrong. */
  readonly hasDrifted: boolean;
}

/** What one step changed, with the views as they are after it. */
export interface Step<Game extends GameTypes = AnyGame>
  extends Omit<PlainStep, "public" | "private" | "events" | "secrets"> {
  readonly public: Game["public"] | null;
  readonly private: Game["private"] | null;
  readonly events: readonly Game["event"][];
  /** Events that only the own seat received. */
  readonly secrets: readonly Game["event"][];
}

/** The legal actions of one decision. */
export interface Legal<Action = View> {
  readonly turn: number;
  /** Whether nothing else is legal. */
  readonly complete: boolean;
  readonly actions: readonly Action[];
  /** The cost or gain of each action, in a few words or none. */
  readonly notes: readonly string[] | null;
}

/** The events of a room, in the order in which they happen. */
export interface RoomEvents<Game extends GameTypes = AnyGame> {
  /** A step of the match, or a snapshot. */
  readonly update: Step<Game>;
  /** The own seat must decide; once per decision. */
  readonly prompt: Prompt;
  /** Anything in the state may have changed. */
  readonly change: RoomState<Game>;
  readonly said: Said;
  /** The clock acted for the own seat. */
  readonly expired: Expired;
  /** The server has something to say about the room. */
  readonly notice: Notice;
  readonly ended: Ended;
  /** The room can no longer be followed. */
  readonly closed: WarroomError;
}

interface Unanswered {
  readonly act: ActRequest;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
}

/** What a room needs from its session. */
export interface Line {
  readonly cells: Cells;
  ask<Message extends Request>(message: Message, survives?: boolean): Promise<ReplyTo<Message>>;
  tell(message: ClientMessage): void;
  leave(room: number): Promise<void>;
  now(): number;
}

export class Room<Game extends GameTypes = AnyGame> {
  readonly code: string;
  private readonly events: PatientEmitter<RoomEvents<Game>>;
  private readonly shown: Cell<RoomState<Game>>;
  private readonly failure: Cell<WarroomError | null>;
  private readonly mirror: Mirror;
  private readonly unanswered = new Map<number, Unanswered>();
  /** The last list of legal actions; the server does not repeat a list that did not change. */
  private listed: Legal<Game["action"]> | null = null;
  /** The life and turn of the last decision that was announced. */
  private prompted = "";
  private isBack = false;
  private seatToken: string | null = null;

  constructor(
    private readonly line: Line,
    readonly number: number,
    readonly key: string | null,
    player: string,
  ) {
    this.code = roomCode(number);
    this.mirror = new Mirror(player);
    this.shown = line.cells.cell(this.look());
    this.failure = line.cells.cell<WarroomError | null>(null);
    const isCurrent = (name: string, value: unknown): boolean =>
      name !== "prompt" || this.isOpen((value as Prompt).turn);
    this.events = new PatientEmitter(isCurrent, "change");
  }

  get state(): RoomState<Game> {
    return this.shown.value;
  }

  /** Why the room can no longer be followed; null while it can. */
  get closed(): WarroomError | null {
    return this.failure.value;
  }

  get player(): string {
    return this.mirror.player;
  }

  /** The code that brings others into the room, with its key if it is private. */
  get invitation(): string {
    return invitation(this.number, this.key);
  }

  /** Actions without a verdict, oldest first. */
  get waiting(): readonly ActRequest[] {
    return Array.from(this.unanswered.values(), (each) => each.act);
  }

  /** Call a listener at each event; the first listeners also get what happened since the room was entered. */
  on<Name extends keyof RoomEvents<Game>>(name: Name, listener: (value: RoomEvents<Game>[Name]) => void): () => void {
    return this.events.on(name, listener);
  }

  /** Play an action for the open decision; throw `RejectedError` if it is refused. A break is waited out. */
  async act(action: Game["action"], turn = this.mirror.prompt?.turn): Promise<Verdict> {
    if (turn === undefined) throw new RejectedError("act.stale", "it is not your turn");
    this.check();
    const act: ActRequest = { type: "act", room: this.number, id: newRef(), turn, action: action as View };
    encodeClient(act); // throws now what could not be sent later
    return new Promise((resolve, reject) => {
      this.unanswered.set(act.id, { act, resolve, reject });
      this.line.tell(act);
    });
  }

  /** Return the legal actions of the open decision, also after a break or a temporary refusal. */
  async legal(): Promise<Legal<Game["action"]>> {
    this.check();
    const asked = this.mirror.prompt?.turn;
    const request = { type: "legal", room: this.number, notes: true } as const;
    const reply = await retryTemporary(
      () => this.line.ask({ ...request, ref: newRef() }, true),
      () => this.isOpen(asked) && this.failure.peek() === null,
    );
    const { turn, complete } = reply;
    if (reply.actions) this.listed = { turn, complete, actions: reply.actions, notes: reply.notes };
    return { ...(this.listed ?? { actions: [], notes: null }), turn, complete };
  }

  /** Send another request of this room, such as `fill` or `say`. */
  async ask(message: RoomRequest): Promise<Done> {
    this.check();
    return this.line.ask({ ...message, ref: newRef(), room: this.number } as Extract<Request, { type: "start" }>);
  }

  /** Return the result when the match is over; throw if the room is closed before. */
  async ended(): Promise<Ended> {
    if (this.mirror.ended) return this.mirror.ended;
    this.check();
    return new Promise((resolve, reject) => {
      this.on("ended", resolve);
      this.on("closed", reject);
    });
  }

  /** Leave the room, which closes it; in the lobby this frees the seat. Return when the server has been told. */
  leave(): Promise<void> {
    return this.line.leave(this.number);
  }

  /** Throw if the room can no longer be followed. */
  private check(): void {
    const failure = this.failure.peek();
    if (failure) throw failure;
  }

  private isOpen(turn: number | undefined): boolean {
    return this.mirror.prompt?.turn === turn;
  }

  // --- for the session -------------------------------------------------------------------------------------------

  /** The request that enters the room again and asks for missed frames. */
  wayBack(ref: number): JoinRequest | WatchRequest {
    const position = this.mirror.position;
    if (this.mirror.seat === null) return { type: "watch", ref, room: this.number, position, key: this.key };
    return { type: "join", ref, room: this.number, seat_token: this.seatToken, position, key: this.key };
  }

  get isStale(): boolean {
    return this.mirror.isStale;
  }

  /** Whether the room was entered once; false during the first entry. */
  get isEntered(): boolean {
    return this.mirror.about !== null;
  }

  /** Whether the player (re)entered a seat that a bot plays. A bot that stands in later is not sent away unasked. */
  takesBack(): boolean {
    const { isBack } = this;
    this.isBack = false;
    return isBack && this.mirror.seats.some((seat) => seat.stood_in && seat.player === this.player);
  }

  /** Handle one message of this room; return the reason to request a snapshot, if any. */
  receive(message: ServerMessage): string | undefined {
    if (message.type === "verdict") this.judge(message);
    else if (message.type === "notice") this.notice(message);
    else return this.take(message);
    this.show();
    return undefined;
  }

  private take(message: ServerMessage): string | undefined {
    const { life, about, ended } = this.mirror;
    const received = this.mirror.receive(message, this.line.now());
    if (message.type === "joined" || message.type === "resumed") {
      this.seatToken = message.seat_token;
      this.isBack = message.seat !== null;
      if (about !== null && message.life !== life) this.giveUp(new DisconnectedError()); // the room lost its history
    }
    this.show();
    this.announce(received, ended === null);
    return received.resync;
  }

  private announce({ step, said, expired }: Reception, wasRunning: boolean): void {
    if (step) this.events.emit("update", step as Step<Game>);
    if (said) this.events.emit("said", said);
    if (expired) this.events.emit("expired", expired);
    this.announcePrompt();
    if (wasRunning && this.mirror.ended) this.events.emit("ended", this.mirror.ended);
  }

  /** A break repeats the prompt of an open decision, but its listeners may already be at work. */
  private announcePrompt(): void {
    const { prompt, life } = this.mirror;
    const decision = `${life} ${prompt?.turn}`;
    if (!prompt || decision === this.prompted) return;
    this.prompted = decision;
    this.events.emit("prompt", prompt);
  }

  private notice(notice: Notice): void {
    if (notice.code === "seat.decided") {
      this.mirror.prompt = null; // another connection of the seat acted, and also shows the action
      return;
    }
    if (notice.code === "room.kicked") this.mirror.seat = null;
    if (notice.code === "internal") this.close(new RejectedError(notice.code, notice.detail));
    this.events.emit("notice", notice);
  }

  close(error: WarroomError): void {
    if (this.failure.peek()) return;
    this.failure.value = error;
    this.giveUp(error);
    this.events.emit("closed", error);
  }

  /** Fail the actions that wait for a verdict. */
  giveUp(error: WarroomError): void {
    const waiting = [...this.unanswered.values()];
    this.unanswered.clear();
    for (const each of waiting) each.reject(error);
  }

  private judge(verdict: Verdict): void {
    // A verdict arrives twice if the connection broke before we read it; the first one counts.
    const waiting = this.unanswered.get(verdict.id);
    if (!waiting) return;
    this.unanswered.delete(verdict.id);
    if (verdict.code === null) {
      this.mirror.answered(waiting.act.turn);
      waiting.resolve(verdict);
    } else {
      waiting.reject(new RejectedError(verdict.code, verdict.detail ?? ""));
    }
  }

  private show(): void {
    this.shown.value = this.look();
    this.events.emit("change", this.shown.peek());
  }

  private look(): RoomState<Game> {
    return { ...this.mirror };
  }
}
