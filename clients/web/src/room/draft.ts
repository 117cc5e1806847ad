/** An order that is half composed: which decision it is for, and where it outlives a reload of the page. */

import { signal } from "@preact/signals";

import type { Keep } from "../client/identity";
import type { View } from "../generated/messages";
import { isMap } from "../wire/views";

interface Kept {
  readonly turn: number | null;
  readonly draft: View;
}

/** What goes with an order that has no verdict yet. */
interface Sent {
  readonly draft: View;
  /** The fields of the draft that were sent; null: all that there is. */
  readonly fields: readonly string[] | null;
}

export class Draft {
  readonly value = signal<View>(null);
  /** The decision that it is for; null where it was composed between two, and so is for the next. */
  private turn: number | null = null;
  private open: number | null = null;
  private sent: Sent | null = null;
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

  /** Take note that an order is on its way. */
  send(fields: readonly string[] | null): void {
    this.sent = { draft: this.value.peek(), fields };
  }

  /** The order has its verdict. What was sent with it and is still the same goes; what was composed since is for the next. */
  settle(isAccepted: boolean): void {
    const { sent } = this;
    this.sent = null;
    if (isAccepted && sent) this.set(left(this.value.peek(), sent));
    else this.follow(this.open);
  }

  /** Follow which decision is open (null: none): what was composed for one that is over goes.
   *
   * After a break of the line the next decision may be known before the verdict of an order, so that is waited for. */
  follow(turn: number | null): void {
    this.open = turn;
    if (this.sent || turn === null || turn === this.turn) return;
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

/** What is left of a draft when something was accepted that was sent with it. */
function left(now: View, { draft, fields }: Sent): View {
  if (!fields) return now === draft ? null : now;
  if (!isMap(now) || !isMap(draft)) return now;
  const kept = Object.entries(now).filter(([name, value]) => !(fields.includes(name) && value === draft[name]));
  return kept.length ? Object.fromEntries(kept) : null;
}
