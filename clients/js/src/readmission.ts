/** Enters a room again, on a new connection or because it moved, with one attempt at a time. */

import { delayBefore, HEALING_MS } from "./backoff.js";
import { isTemporary } from "./errors.js";

export class Readmission {
  /** Whether the room moved once more since the last attempt began. */
  hasMoved = false;
  private wake = (): void => undefined;

  /** Note that the room moved once more: the current attempt does not count, and the next one starts at once. */
  moved(): void {
    this.hasMoved = true;
    this.wake();
  }

  /** Retry until the room is entered or no longer wanted; return whether it is entered, throw a permanent refusal. */
  async run(attempt: () => Promise<unknown>, isWanted: () => boolean): Promise<boolean> {
    for (let count = 0; isWanted(); count += 1) {
      this.hasMoved = false;
      try {
        await attempt();
        if (!this.hasMoved) return isWanted();
      } catch (error) {
        if (!isTemporary(error)) throw error;
      }
      if (!this.hasMoved) await this.rest(delayBefore(count, HEALING_MS));
    }
    return false;
  }

  /** Wait, but at most until the room moves. */
  private rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, ms);
    });
  }
}
