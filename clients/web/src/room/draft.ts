/** An order that is half composed: which decision it is for, and where it outlives a reload of the page. */

import { signal } from "@preact/signals";

import type { Keep } from "../client/identity";
import type { View } from "../generated/messages";

interface Kept {
  readonly turn: number | null;
  readonly draft: View;
}

export class Draft {
  readonly value = signal<View>(null);
  /** The decision that it is for; null where it was composed between two, and so is for the next. */
  private turn: number | null = null;
  private open: number | null = null;
  private readonly name: string;

  constructor(
    code: string,
    private readonly keep: () => Keep = () => sessionStorage,
  ) {
    this.name = `warroom.draft.${code}`;
    const kept = this.stored();
    this.value.value = kept?.draft ?? null;
    this.turn = kept?.turn ?? null;
  }

  set(draft: View): void {
    this.turn = this.open;
    this.value.value = draft;
    this.store();
  }

  /** Follow which decision is open (null: none): what was composed for one that is over goes. */
  follow(turn: number | null): void {
    this.open = turn;
    if (turn === null || turn === this.turn) return;
    this.set(this.turn === null ? this.value.peek() : null);
  }

  private store(): void {
    const draft = this.value.peek();
    try {
      if (draft === null) this.keep().removeItem(this.name);
      else this.keep().setItem(this.name, JSON.stringify({ turn: this.turn, draft } satisfies Kept));
    } catch {
      // A browser that keeps nothing loses the draft with the page.
    }
  }

  private stored(): Kept | null {
    try {
      return JSON.parse(this.keep().getItem(this.name) ?? "null") as Kept | null;
    } catch {
      return null;
    }
  }
}
