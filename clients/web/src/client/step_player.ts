/**
 * Shows the steps of a match one after another, each for as long as its animation takes.
 *
 * The display may lag behind the known state, but never by more than a moment, and hardly at all while the player's own
 * clock runs: a growing queue plays faster, and the user can skip to its end.
 */

import { type Signal, signal } from "@preact/signals";
import { isMap, type Step, type View } from "warroom-client";
import type { Moment } from "../boards/board";

/** Maximum lag of the shown moment, in milliseconds and as a share of the time to act. */
const LONGEST_LAG_MS = 4000;
const LONGEST_LAG = 0.05;
/** A longer queue is skipped instead of shown. */
const LONGEST_QUEUE = 24;

export const EMPTY: Moment = { public: null, private: null, privates: [], events: [], before: null, serial: 0 };

export class StepPlayer {
  readonly moment: Signal<Moment>;
  /** Whether the latest step is on show. */
  readonly isCurrent = signal(true);
  /** The current playback speed, as a share of the usual duration. */
  readonly pace = signal(1);
  /** The duration of a step; a board that is still loading takes no time. */
  duration: (moment: Moment) => number = () => 0;
  private queue: Moment[] = [];
  /** Starts from a number that grows with each reload, because boards remember steps by it. */
  private last: Moment = { ...EMPTY, serial: Date.now() };
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly isStill: () => boolean = () => false,
    private readonly showsAll: () => boolean = () => false,
    /** The player's time for the open decision in milliseconds; infinite if there is none. */
    private readonly budget: () => number = () => Infinity,
  ) {
    this.moment = signal(EMPTY);
  }

  /** Queue a step and return its moment; a fresh view is shown at once. */
  push(step: Step): Moment {
    const next = momentAfter(this.last, step, this.showsAll());
    this.last = next;
    if (step.isFresh || this.isStill() || this.queue.length >= LONGEST_QUEUE) {
      const missed = this.drop();
      this.show({ ...next, events: step.isFresh ? missed : [...missed, ...next.events] }, 0);
      return next;
    }
    this.queue.push(next);
    if (this.timer === undefined) this.next();
    else this.isCurrent.value = false;
    return next;
  }

  /** Show the latest moment now, skipping the animations before it. */
  skip(): void {
    const latest = this.queue.at(-1);
    const missed = this.drop();
    if (latest) this.show({ ...latest, before: null, events: missed }, 0);
    else this.rest();
    this.pace.value = 0;
  }

  /** Finish the queue within the share of the time to act that starts now. */
  hasten(): void {
    const due = [this.moment.peek(), ...this.queue];
    if (this.timer === undefined || this.paceOf(due) >= this.pace.peek()) return;
    this.queue = due;
    this.next();
  }

  /** Empty the queue and return its events, so that a board can still report them. */
  private drop(): readonly View[] {
    return this.queue.splice(0).flatMap((moment) => moment.events);
  }

  private next(): void {
    const moment = this.queue.shift();
    if (!moment) {
      this.rest();
      return;
    }
    const pace = this.paceOf([moment, ...this.queue]);
    const usual = this.duration(moment);
    this.show(moment, pace);
    if (usual === 0 && this.isCurrent.value) return; // nothing moves, so there is nothing to wait for
    this.isCurrent.value = false;
    this.timer = setTimeout(() => this.next(), usual * pace);
  }

  /** Return the speed at which the moments stay within their limit. */
  private paceOf(moments: readonly Moment[]): number {
    const lag = moments.reduce((sum, each) => sum + this.duration(each), 0);
    const most = this.timer === undefined ? 1 : this.pace.peek(); // the rest takes its share, not the full time again
    return Math.min(most, Math.min(LONGEST_LAG_MS, this.budget() * LONGEST_LAG) / Math.max(1, lag));
  }

  private show(moment: Moment, pace: number): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pace.value = pace;
    this.moment.value = moment;
    this.isCurrent.value = this.queue.length === 0;
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isCurrent.value = true;
  }
}

/** Return the moment of a step; if spectators see all hands, split the private views by seat. */
export function momentAfter(last: Moment, step: Step, showsAll: boolean): Moment {
  const { open, own, privates } = split(step.public, step.private, showsAll);
  return {
    public: open,
    private: own,
    privates,
    events: [...step.events, ...step.secrets].flatMap((event) => eventsOf(event, showsAll)),
    before: step.isFresh || last.public === null ? null : { public: last.public, private: last.private },
    serial: last.serial + 1,
  };
}

function split(view: View, own: View, showsAll: boolean): { open: View; own: View; privates: readonly View[] } {
  if (!showsAll || !isMap(view) || !Array.isArray(view.seats)) return { open: view, own, privates: [] };
  return { open: view.public ?? null, own: null, privates: view.seats };
}

/** If the viewer sees all hands, an event has a public form, and for each seat a private form that may be the same
 * event in more detail; the most detailed form wins. An event without a seat belongs to the seat that received it. */
function eventsOf(event: View, showsAll: boolean): readonly View[] {
  if (!showsAll || !isMap(event) || !("public" in event && "seats" in event)) return [event];
  const told = Object.entries(isMap(event.seats) ? event.seats : {}).map(([seat, form]): [string, View] => [
    seat,
    isMap(form) ? { seat: Number(seat), ...form } : form,
  ]);
  const own = (told.find(([seat, form]) => isMap(form) && String(form.seat) === seat) ?? told[0])?.[1] ?? null;
  const isFuller = isMap(own) && isMap(event.public) && own.type === event.public.type;
  return [isFuller ? null : (event.public ?? null), own].filter((form) => form !== null);
}
