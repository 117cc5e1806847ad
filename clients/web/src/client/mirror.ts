/**
 * A viewer's copy of one room, kept right without doing any I/O.
 *
 * The public stream of a room is numbered by p, the private stream of a seat by q. The mirror takes each step once and
 * in order, shows a public and a private change that belong together as one, notices gaps, and checks its copy against
 * the server's checksums. What it cannot repair itself it asks for: `resync` of a reception is the reason to send.
 */

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
} from "../generated/messages";
import { checksum } from "../wire/canonical";
import { applyPatch } from "../wire/patches";
import { follow, NO_CLOCK, type RoomClock, roomTime, set } from "./clock";

/** What one step changed, with the views as they are after it. */
export interface Step {
  readonly public: View;
  readonly private: View;
  readonly turn: number;
  readonly events: readonly View[];
  /** Those that only the own seat was told. */
  readonly secrets: readonly View[];
  /** A snapshot: nothing is known about how the view came to be. */
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
const LINES_TOLD_AGAIN = 32;

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
  /** Whether a snapshot is due: until it comes, steps of the streams are passed over. */
  isStale = true;
  hasDrifted = false;
  /** The last decision that was asked for since the room was entered: an open one is, before it is told who sits where. */
  private asked: Prompt | null = null;
  private held: Private | null = null;
  private wrongSums = 0;
  private heard: Said[] = [];
  private echoes: Said[] = [];

  constructor(public player = "") {}

  /** How far the copy has come, for a resume; null where only a snapshot helps. */
  get position(): Position | null {
    return this.isStale ? null : { life: this.life, p: this.p, q: this.q };
  }

  /** Take one message of the room that arrived at local time *now*. */
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
        return this.admit(message);
      default:
        return this.takeUnnumbered(message, now);
    }
  }

  /** Forget the prompt of decision *turn*: an action for it was accepted. */
  answered(turn: number): void {
    if (this.prompt?.turn === turn) this.prompt = null;
  }

  private admit(message: Joined | Resumed): Reception {
    // What was held belongs to an update that is now sent again, together with its private part.
    this.held = null;
    this.asked = null;
    this.echoes = [...this.heard];
    this.seat = message.seat;
    this.about = message.about;
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
    // A right snapshot does not clear the count: a client that patches wrongly would ask for ever.
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
    // Before the match a place can be given up, also by another tab of the same player.
    if (this.seat !== null && (own || this.phase === "lobby")) this.seat = own?.seat ?? null;
  }

  private hear(message: Said): Reception {
    // Whoever enters is told the latest lines, also who has heard them before the line broke.
    const known = this.echoes.findIndex((echo) => isSameLine(echo, message));
    if (known >= 0) {
      this.echoes.splice(known, 1);
      return NOTHING;
    }
    this.heard = [...this.heard, message].slice(-LINES_TOLD_AGAIN);
    return { said: message };
  }

  private follow(clock: Clock, now: number): void {
    // A new turn asks anew: the prompt of the old one can only be answered with a stale token.
    if (clock.turn !== this.clock.turn) this.prompt = null;
    this.clock = follow(this.clock, clock, now);
  }
}

function isSameLine(one: Said, other: Said): boolean {
  return one.at === other.at && one.player === other.player && one.text === other.text;
}
