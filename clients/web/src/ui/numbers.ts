/** Formats times and places. */

const TENTHS_BELOW_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PLACES = ["0th", "1st", "2nd", "3rd"];

/** Format a time as on a clock. */
export function duration(ms: number): string {
  if (ms < TENTHS_BELOW_MS) return (Math.ceil(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes}:${String(seconds % 60).padStart(2, "0")}` : String(seconds);
}

/** Format a duration in a suitable unit. */
export function spell(ms: number): string {
  if (ms >= HOUR_MS && ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  if (ms >= MINUTE_MS && ms % MINUTE_MS === 0 && ms !== MINUTE_MS) return `${ms / MINUTE_MS} min`;
  return `${ms / 1000} s`;
}

/** Format the time since the start of a match. */
export function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Format the time left, and the bank after the turn itself is over. */
export function timeLeft(turnLeft: number | null, ownLeft: number | null): string {
  if (ownLeft === null) return "–";
  if (turnLeft === 0 && ownLeft > 0) return `bank ${duration(ownLeft)}`;
  return duration(turnLeft ?? ownLeft);
}

/** Format a count. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** Format a rank: 1st, 2nd. */
export function place(rank: number): string {
  return PLACES[rank] ?? `${rank}th`;
}
