/** How long to wait before the next attempt to connect. */

const FIRST_MS = 100;
const LONGEST_MS = 4000;

/** Return the delay before attempt *count* (from 0): doubled each time, drawn from the upper half. */
export function delayBefore(count: number, random: () => number = Math.random): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(count, 16));
  return longest * (0.5 + random() / 2);
}

/** Return 53 random bits: the name of a request or an action that nobody else has. */
export function newRef(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
