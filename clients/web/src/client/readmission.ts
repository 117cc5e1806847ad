/** A room that has to be entered again, on a new line or because it moved: one attempt at a time. */

import { delayBefore, HEALING_MS } from "./backoff";
import { isTemporary } from "./errors";

export class Readmission {
  private hasMoved = false;
  private wake = (): void => undefined;

  /** Note that the room moved once more: the attempt that is under way does not count, and the next begins at once. */
  moved(): void {
    this.hasMoved = true;
    this.wake();
  }

  /** Try until the room is entered or nobody wants it; return whether it is entered, throw what ends that for good. */
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

  /** Wait, but no longer than until the room moves. */
  private rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, ms);
    });
  }
}
