/**
 * A viewer's copy of one room; does no I/O.
 *
 * The public stream of a room is numbered by p, the private stream of a seat by q. The mirror applies each step once
 * and in order, shows joint public and private changes as one, detects gaps, and verifies its copy with the server's
 * checksums. If it cannot repair the copy, `resync` of a reception is the reason to request a snapshot.
 */

import { follow, NO_CLOCK, type RoomClock, roomTime, set } from "./clock.js";
import type {
  About,
  Clock,
  Ended,
  Expired,
  Joined,
  Moved,
  Position,
  Private,
  Prompt,
  Resumed,
  Said,
  SeatState,
  ServerMessage,
  Snapshot,
  Update,
  View,
} from "./generated/messages.js";
import { checksum } from "./wire/canonical.js";
import { applyPatch } from "./wire/patches.js";

/** What one step changed, with the views as they are after it. */
export interface Step {
  readonly public: View;
  readonly private: View;
  readonly turn: number;
  readonly events: readonly View[];
  /** Events that only the own seat received. */
  readonly secrets: readonly View[];
  /** A snapshot: the steps before it are unknown. */
  readonly isFresh: boolean;
}

export interface Reception {
  readonly step?: Step;
  readonly resync?: string;
  readonly expired?: Expired;
  readonly said?: Said;
}

const NOTHING: Reception = {};
const WRONG_SUMS_BEFORE_DRIFT = 2;
const REPEATED_LINES = 32;
/** Pauses that a server announces while the room has no owner; they end when the viewer enters the room. */
const PAUSES_WITHOUT_ROOM = new Set(["moving"]);

export class Mirror {
  about: About | null = null;
  life = 0;
  p = 0;
  q = 0;
  public: View = null;
  private: View = null;
  clock: RoomClock = NO_CLOCK;
  seat: number | null = null;
  phase = "lobby";
  host: string | null = null;
  seats: readonly SeatState[] = [];
  watching = 0;
  prompt: Prompt | null = null;
  paused: string | null = null;
  pauseEnds: number | null = null;
  ended: Ended | null = null;
  offers: readonly (readonly [string, readonly number[]])[] = [];
  moved: Moved | null = null;
  /** Whether a snapshot is due; until it arrives, stream steps are ignored. */
  isStale = true;
  hasDrifted = false;
  /** The last decision prompted since the room was entered; an open one is repeated before `seats`. */
  private asked: Prompt | null = null;
  private held: Private | null = null;
  private wrongSums = 0;
  private heard: Said[] = [];
  private echoes: Said[] = [];

  constructor(public player = "") {}

  /** The position for a resume; null if only a snapshot helps. */
  get position(): Position | null {
    return this.isStale ? null : { life: this.life, p: this.p, q: this.q };
  }

  /** Handle one message of the room that arrived at local time *now*. */
  receive(message: ServerMessage, now: number): Reception {
    switch (message.type) {
      case "snapshot":
        return this.takeSnapshot(message, now);
      case "update":
        return this.takeUpdate(message, now);
      case "private":
        return this.takePrivate(message);
      case "joined":
      case "resumed":
        return this.admit(message, now);
      default:
        return this.takeUnnumbered(message, now);
    }
  }

  /** Drop the prompt of decision *turn*, because an action for it was accepted. */
  answered(turn: number): void {
    if (this.prompt?.turn === turn) this.prompt = null;
  }

  private admit(message: Joined | Resumed, now: number): Reception {
    // A held private part belongs to an update that the resume repeats together with that part.
    this.held = null;
    this.asked = null;
    this.echoes = [...this.heard];
    this.seat = message.seat;
    this.about = message.about;
    if (this.paused !== null && PAUSES_WITHOUT_ROOM.has(this.paused)) {
      this.paused = null; // the room announces its own pauses again
      this.pauseEnds = null;
      this.clock = set(this.clock, roomTime(this.clock, now), now, true);
    }
    if (message.type === "joined") {
      this.life = message.life;
      this.isStale = true;
      this.prompt = null;
      return NOTHING;
    }
    return message.life !== this.life || this.isStale ? this.lose("view.gap") : NOTHING;
  }

  private takeSnapshot(message: Snapshot, now: number): Reception {
    this.life = message.life;
    this.p = message.p;
    this.q = message.q;
    this.public = message.public;
    this.private = message.private;
    this.held = null;
    this.isStale = false;
    this.follow(message.clock, now);
    const isRight = checksum(this.public) === message.public_sum && checksum(this.private) === message.private_sum;
    // A correct snapshot does not reset the count: a client that patches wrongly would ask forever.
    return { ...this.stepped([], [], true), ...(isRight ? NOTHING : this.wrong()) };
  }

  private takeUpdate(message: Update, now: number): Reception {
    if (this.isStale || message.p <= this.p) return NOTHING;
    const joint = this.held;
    this.held = null;
    if (message.p !== this.p + 1) return this.lose("view.gap");
    this.p = message.p;
    let isRight = this.patchPublic(message);
    if (joint) isRight = this.patchPrivate(joint) && isRight;
    this.follow(message.clock, now);
    return { ...this.stepped(message.events, joint?.events ?? []), ...(isRight ? NOTHING : this.wrong()) };
  }

  private takePrivate(message: Private): Reception {
    const last = this.held ? this.held.q : this.q;
    if (this.isStale || message.q <= last) return NOTHING;
    const due = message.joint ? this.p + 1 : this.p;
    if (this.held || message.q !== this.q + 1 || message.p !== due) return this.lose("view.gap");
    if (message.joint) {
      this.held = message;
      return NOTHING;
    }
    const isRight = this.patchPrivate(message);
    return { ...this.stepped([], message.events), ...(isRight ? NOTHING : this.wrong()) };
  }

  private patchPublic(message: Update): boolean {
    try {
      this.public = applyPatch(this.public, message.patch);
    } catch {
      return false;
    }
    return this.agrees(this.public, message.sum);
  }

  private patchPrivate(message: Private): boolean {
    this.q = message.q;
    try {
      this.private = applyPatch(this.private, message.patch);
    } catch {
      return false;
    }
    return this.agrees(this.private, message.sum);
  }

  private agrees(view: View, expected: number | null): boolean {
    if (expected === null) return true;
    if (checksum(view) !== expected) return false;
    this.wrongSums = 0;
    return true;
  }

  private stepped(events: readonly View[], secrets: readonly View[], isFresh = false): Reception {
    const { public: open, private: own } = this;
    return { step: { public: open, private: own, turn: this.clock.turn, events, secrets, isFresh } };
  }

  private lose(reason: string): Reception {
    this.held = null;
    this.isStale = true;
    return { resync: reason };
  }

  private wrong(): Reception {
    if (this.hasDrifted) return NOTHING;
    this.wrongSums += 1;
    if (this.wrongSums < WRONG_SUMS_BEFORE_DRIFT) return this.lose("view.drift");
    this.hasDrifted = true;
    return NOTHING;
  }

  private takeUnnumbered(message: ServerMessage, now: number): Reception {
    switch (message.type) {
      case "prompt":
        this.clock = set(this.clock, message.at, now);
        this.prompt = this.asked = message;
        this.seat = message.seat;
        return NOTHING;
      case "expired":
        if (message.seat === this.seat) this.answered(message.turn);
        return { expired: message };
      case "seats":
        this.phase = message.phase;
        this.host = message.host;
        this.seats = message.seats;
        this.watching = message.watching;
        if (!this.asked) this.prompt = null;
        this.findSeat();
        return NOTHING;
      case "paused":
        this.paused = message.reason;
        this.pauseEnds = message.left_ms === null ? null : now + message.left_ms;
        this.clock = set(this.clock, message.at ?? roomTime(this.clock, now), now, message.reason === null);
        return NOTHING;
      case "ended":
        this.ended = message;
        this.prompt = null;
        this.phase = "ended";
        return NOTHING;
      case "offers":
        this.offers = message.offers;
        return NOTHING;
      case "moved":
        this.moved = message;
        return NOTHING;
      case "said":
        return this.hear(message);
      default:
        return NOTHING;
    }
  }

  private findSeat(): void {
    const own = this.seats.find((state) => state.player === this.player);
    // In the lobby another tab of the same player may have left the seat.
    if (this.seat !== null && (own || this.phase === "lobby")) this.seat = own?.seat ?? null;
  }

  private hear(message: Said): Reception {
    // The server repeats recent chat on entry, so known lines must not appear twice.
    const known = this.echoes.findIndex((echo) => isSameLine(echo, message));
    if (known >= 0) {
      this.echoes.splice(known, 1);
      return NOTHING;
    }
    this.heard = [...this.heard, message].slice(-REPEATED_LINES);
    return { said: message };
  }

  private follow(clock: Clock | null, now: number): void {
    if (!clock) return; // it is what it was
    // A new turn brings a new prompt: the old one's token is stale.
    if (clock.turn !== this.clock.turn) this.prompt = null;
    this.clock = follow(this.clock, clock, now);
  }
}

function isSameLine(one: Said, other: Said): boolean {
  return one.at === other.at && one.player === other.player && one.text === other.text;
}
