/** A room in the page: the latest state, the steps that led there, and the actions of the own seat. */

import { type Signal, signal } from "@preact/signals";

import type {
  About,
  ActRequest,
  ClientMessage,
  Ended,
  JoinRequest,
  Moved,
  Prompt,
  Said,
  SeatState,
  ServerMessage,
  Verdict,
  View,
  WatchRequest,
} from "../generated/messages";
import { invitation, roomCode } from "../wire/codes";
import { newRef, retryTemporary } from "./backoff";
import type { RoomClock } from "./clock";
import { inWords, Lost, Refused, sentence } from "./errors";
import { Mirror, type Step } from "./mirror";
import { timeUp } from "./timeout_text";

/** The latest state; a new value after every change. */
export interface RoomState {
  readonly about: About | null;
  readonly phase: string;
  readonly seat: number | null;
  readonly host: string | null;
  readonly seats: readonly SeatState[];
  readonly watching: number;
  readonly public: View;
  readonly private: View;
  readonly clock: RoomClock;
  readonly prompt: Prompt | null;
  readonly paused: string | null;
  readonly pauseEnds: number | null;
  readonly ended: Ended | null;
  readonly offers: readonly (readonly [string, readonly number[]])[];
  readonly moved: Moved | null;
  readonly hasDrifted: boolean;
}

/** A log line that is not a game event. */
export interface Remark {
  readonly kind: "remark";
  readonly text: string;
}

export type News =
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "said"; readonly said: Said }
  | Remark;

/** The legal actions of the open decision. */
export interface Legal {
  readonly turn: number;
  readonly complete: boolean;
  readonly actions: readonly View[];
  /** The cost or gain of each action, in a few words or none. */
  readonly notes: readonly string[] | null;
}

interface Unanswered {
  readonly act: ActRequest;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
}

/** What a room needs from its session. */
export interface Line {
  ask(message: ClientMessage & { readonly ref: number }, survives?: boolean): Promise<ServerMessage>;
  tell(message: ClientMessage): void;
  now(): number;
}

export class Room {
  readonly code: string;
  readonly state: Signal<RoomState>;
  /** Why the room can no longer be followed; null while it can. */
  readonly closed = signal<string | null>(null);
  readonly legal = signal<Legal | null>(null);
  /** Listeners, which get all news in order. */
  private readonly listeners = new Set<(news: News) => void>();
  /** News before the first listener: its screen may still be loading. */
  private unheard: readonly News[] = [];
  private readonly mirror: Mirror;
  private readonly unanswered = new Map<number, Unanswered>();
  /** The decision whose legal actions are loading, and the last one for which that failed for good. */
  private asking: number | null = null;
  private refused: number | null = null;
  /** The last list of legal actions; the server does not repeat a list that did not change. */
  private listed: Legal | null = null;
  private isBack = false;
  seatToken: string | null = null;

  constructor(
    private readonly line: Line,
    readonly number: number,
    readonly key: string | null,
    player: string,
  ) {
    this.code = roomCode(number);
    this.mirror = new Mirror(player);
    this.state = signal(this.look());
  }

  get player(): string {
    return this.mirror.player;
  }

  get invitation(): string {
    return invitation(this.number, this.key);
  }

  /** Actions without a verdict, oldest first. */
  get waiting(): readonly ActRequest[] {
    return Array.from(this.unanswered.values(), (each) => each.act);
  }

  /** Add a listener; the first one also gets the news since the room was entered. */
  onNews(listener: (news: News) => void): () => void {
    const { unheard } = this;
    this.unheard = [];
    for (const news of unheard) listener(news);
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Play an action for the open decision; throw `Refused` if it is refused. A connection break is waited out. */
  play(action: View, turn = this.mirror.prompt?.turn): Promise<Verdict> {
    if (turn === undefined) return Promise.reject(new Refused("act.stale", "it is not your turn"));
    if (this.closed.peek() !== null) return Promise.reject(new Lost());
    const act: ActRequest = { type: "act", room: this.number, id: newRef(), turn, action };
    return new Promise((resolve, reject) => {
      this.unanswered.set(act.id, { act, resolve, reject });
      this.line.tell(act);
    });
  }

  /** Send a request of this room. */
  ask(message: RoomRequest): Promise<ServerMessage> {
    return this.line.ask({ ...message, ref: newRef(), room: this.number } as ClientMessage & { ref: number });
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

  /** Whether the player (re)entered a seat that a bot plays. A bot that stands in later is not sent away unasked. */
  takesBack(): boolean {
    const { isBack } = this;
    this.isBack = false;
    return isBack && this.isStoodIn;
  }

  private get isStoodIn(): boolean {
    return this.mirror.seats.some((seat) => seat.stood_in && seat.player === this.player);
  }

  /** Handle one message of this room; return the reason to request a snapshot, if any. */
  receive(message: ServerMessage): string | undefined {
    if (message.type === "verdict") {
      this.judge(message);
    } else if (message.type === "notice") {
      this.notice(message.code, message.detail);
    } else {
      return this.take(message);
    }
    this.show();
    return undefined;
  }

  private take(message: ServerMessage): string | undefined {
    const lifeBefore = this.mirror.life;
    const hadAbout = this.mirror.about !== null;
    const received = this.mirror.receive(message, this.line.now());
    if (message.type === "joined" || message.type === "resumed") {
      this.seatToken = message.seat_token;
      this.isBack = message.seat !== null;
      if (hadAbout && message.life !== lifeBefore) this.giveUp(); // the room lost its history
    }
    this.show();
    if (received.step) this.tell({ kind: "step", step: received.step });
    if (received.said) this.tell({ kind: "said", said: received.said });
    if (received.expired && !this.isStoodIn) this.remark(timeUp(received.expired));
    this.askLegal();
    return received.resync;
  }

  private notice(code: string, detail: string): void {
    if (code === "seat.decided") {
      this.mirror.prompt = null; // another tab acted, and also shows the action
      return;
    }
    if (code === "room.kicked") this.mirror.seat = null;
    if (code === "internal") this.close(sentence(detail));
    this.remark(detail);
  }

  remark(text: string): void {
    this.tell({ kind: "remark", text });
  }

  close(reason: string): void {
    this.closed.value = reason;
    this.giveUp();
  }

  /** Fail the actions that wait for a verdict. */
  giveUp(): void {
    const waiting = [...this.unanswered.values()];
    this.unanswered.clear();
    for (const each of waiting) each.reject(new Lost());
  }

  /** Load the legal actions once per decision; retry temporary refusals. */
  private askLegal(): void {
    const turn = this.mirror.prompt?.turn ?? null;
    if (turn === null) this.legal.value = null;
    if (turn === null || turn === this.asking || turn === this.legal.value?.turn) return;
    this.asking = turn;
    const isOpen = (): boolean => this.mirror.prompt?.turn === turn && this.closed.value === null;
    retryTemporary(() => this.line.ask({ type: "legal", ref: newRef(), room: this.number, notes: true }, true), isOpen)
      .then((reply) => {
        if (reply.type !== "legal") return;
        if (reply.actions) this.listed = { ...reply, actions: reply.actions };
        if (this.listed && reply.turn === this.mirror.prompt?.turn) this.legal.value = this.listed;
      })
      .catch((error: unknown) => {
        if (isOpen() && this.refused !== turn) this.remark(inWords(error));
        this.refused = turn;
      })
      .finally(() => {
        if (this.asking === turn) this.asking = null;
        if (this.mirror.prompt && this.mirror.prompt.turn !== turn) this.askLegal();
      });
  }

  private judge(verdict: Verdict): void {
    // A verdict arrives twice if the connection broke before we read it; the first one counts.
    const waiting = this.unanswered.get(verdict.id);
    if (!waiting) return;
    this.unanswered.delete(verdict.id);
    if (verdict.code === null) {
      this.mirror.answered(waiting.act.turn);
      this.legal.value = null;
      waiting.resolve(verdict);
    } else {
      waiting.reject(new Refused(verdict.code, verdict.detail ?? ""));
    }
  }

  private tell(news: News): void {
    if (!this.listeners.size) this.unheard = [...this.unheard, news];
    for (const listener of this.listeners) listener(news);
  }

  private show(): void {
    this.state.value = this.look();
  }

  private look(): RoomState {
    return { ...this.mirror };
  }
}

type WithoutPlace<Message> = Message extends { readonly ref: number; readonly room: number }
  ? Omit<Message, "ref" | "room">
  : never;

/** The requests of an entered room. */
export type RoomRequest = WithoutPlace<
  Extract<ClientMessage, { type: "start" | "fill" | "kick" | "resign" | "reclaim" | "offer" | "say" }>
>;
