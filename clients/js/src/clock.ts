/** An estimate of a room's clock between two messages of the server; local times are `performance.now()`. */

import type { Clock } from "./generated/messages.js";

/** The known clock at one moment; a value, so that components can compare it. */
export interface RoomClock {
  readonly turn: number;
  readonly deadline: number | null;
  readonly banks: readonly number[];
  readonly isRunning: boolean;
  /** The last room time received, and the local time of its arrival. */
  readonly at: number;
  readonly heard: number;
}

export const NO_CLOCK: RoomClock = { turn: 0, deadline: null, banks: [], isRunning: true, at: 0, heard: 0 };

/** Apply the clock of a public frame. */
export function follow(clock: RoomClock, frame: Clock, now: number): RoomClock {
  return { ...clock, turn: frame.turn, deadline: frame.deadline, banks: frame.banks, at: frame.at, heard: now };
}

/** Set the room time, and whether it runs. */
export function set(clock: RoomClock, at: number, now: number, isRunning = clock.isRunning): RoomClock {
  return { ...clock, at, heard: now, isRunning };
}

/** Return the estimated room time. */
export function roomTime(clock: RoomClock, now: number): number {
  return clock.at + (clock.isRunning ? now - clock.heard : 0);
}

/** Return the time left until a deadline in room time. */
export function left(clock: RoomClock, deadline: number, now: number): number {
  return Math.max(0, deadline - roomTime(clock, now));
}
