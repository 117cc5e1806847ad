/** A room that has to be entered again, on a new line or because it moved: one attempt at a time. */

import { delayBefore, HEALING_MS } from "./backoff";
import { isPassing, Lost, Unanswered } from "./errors";

/** So many attempts without an answer, and the room is given up. */
export const SILENT_ATTEMPTS = 12;

export class Readmission {
  isRunning = false;
  private hasMoved = false;
  private wake = (): void => undefined;

  /** *attempt* enters the room, *isWanted* says whether that still matters. */
  constructor(
    private readonly attempt: () => Promise<unknown>,
    private readonly isWanted: () => boolean,
  ) {}

  /** Note that the room moved once more: the attempt that is under way does not count. */
  moved(): void {
    this.hasMoved = true;
    this.wake();
  }

  /** Try until the room is entered; throw what ends that for good. */
  async run(): Promise<void> {
    this.isRunning = true;
    try {
      await this.persist();
    } finally {
      this.isRunning = false;
    }
  }

  private async persist(): Promise<void> {
    let silent = 0;
    for (let count = 0; ; count += 1) {
      this.hasMoved = false;
      try {
        await this.attempt();
        if (!this.hasMoved) return;
      } catch (error) {
        silent = error instanceof Unanswered ? silent + 1 : 0;
        if (!isPassing(error) || silent === SILENT_ATTEMPTS) throw error;
      }
      await this.rest(delayBefore(count, HEALING_MS));
      if (!this.isWanted()) throw new Lost();
    }
  }

  /** Wait, but no longer than until the room moves. */
  private async rest(ms: number): Promise<void> {
    if (this.hasMoved) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
