/** An estimate of a room's clock between two messages of the server; local times are `performance.now()`. */

import type { Clock } from "../generated/messages";

/** What is known of the clock at one moment; a value, so that what shows it can be compared. */
export interface RoomClock {
  readonly turn: number;
  readonly deadline: number | null;
  readonly banks: readonly number[];
  readonly isRunning: boolean;
  /** The room time that was heard, and the local time at which it was. */
  readonly at: number;
  readonly heard: number;
}

export const NO_CLOCK: RoomClock = { turn: 0, deadline: null, banks: [], isRunning: true, at: 0, heard: 0 };

/** Take over what a frame of the public stream says. */
export function follow(clock: RoomClock, frame: Clock, now: number): RoomClock {
  return { ...clock, turn: frame.turn, deadline: frame.deadline, banks: frame.banks, at: frame.at, heard: now };
}

/** Learn what room time it is, and whether it runs. */
export function set(clock: RoomClock, at: number, now: number, isRunning = clock.isRunning): RoomClock {
  return { ...clock, at, heard: now, isRunning };
}

/** Return the estimated room time. */
export function roomTime(clock: RoomClock, now: number): number {
  return clock.at + (clock.isRunning ? now - clock.heard : 0);
}

/** Return how long is left until a deadline in room time. */
export function left(clock: RoomClock, deadline: number, now: number): number {
  return Math.max(0, deadline - roomTime(clock, now));
}
