/** The legal actions of the open decision, loaded once per decision. */

import { effect, signal, untracked } from "@preact/signals";
import type { Legal, Room } from "warroom-client";

export class LegalActions {
  /** Null while they load, and while nothing is to be decided. */
  readonly current = signal<Legal | null>(null);
  /** The decision whose actions are loading, and the last one for which that failed for good. */
  private asking: number | null = null;
  private refused: number | null = null;

  constructor(
    private readonly room: Room,
    /** Called with a permanent failure, once per decision. */
    private readonly tell: (error: unknown) => void,
  ) {
    effect(() => {
      const turn = room.state.prompt?.turn ?? null;
      untracked(() => this.follow(turn));
    });
  }

  private get turn(): number | null {
    return untracked(() => this.room.state.prompt?.turn ?? null);
  }

  private follow(turn: number | null): void {
    if (turn === null) this.current.value = null;
    if (turn === null || turn === this.asking || turn === this.current.value?.turn) return;
    this.asking = turn;
    this.room
      .legal()
      .then((legal) => {
        if (legal.turn === this.turn) this.current.value = legal;
      })
      .catch((error: unknown) => this.fail(turn, error))
      .finally(() => {
        if (this.asking === turn) this.asking = null;
        if (this.turn !== turn) this.follow(this.turn);
      });
  }

  private fail(turn: number, error: unknown): void {
    if (turn === this.turn && this.refused !== turn && !this.room.closed) this.tell(error);
    this.refused = turn;
  }
}
