/** Delays between attempts. */

import { isTemporary } from "./errors.js";

const FIRST_MS = 100;
const LONGEST_MS = 4000;
/** The longest delay after a temporary refusal. */
export const HEALING_MS = 1000;

/** Return the delay before attempt *count* (from 0): doubled each time up to *most*, drawn from the upper half. */
export function delayBefore(count: number, most = LONGEST_MS, random: () => number = Math.random): number {
  const longest = Math.min(most, FIRST_MS * 2 ** Math.min(count, 16));
  return longest * (0.5 + random() / 2);
}

export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Retry temporary refusals as long as *isWanted*; *tell* is called before each wait. */
export async function retryTemporary<Reply>(
  ask: () => Promise<Reply>,
  isWanted: (error: unknown) => boolean,
  tell: () => void = () => undefined,
): Promise<Reply> {
  for (let count = 0; ; count += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isTemporary(error) || !isWanted(error)) throw error;
      tell();
      await rest(delayBefore(count, HEALING_MS));
      if (!isWanted(error)) throw error;
    }
  }
}

/** Return 53 random bits: a unique id for a request or an action. */
export function newRef(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
