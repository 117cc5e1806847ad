/** A draft order: its decision, and its storage over reloads. */

import { signal } from "@preact/signals";
import { isMap, type View } from "warroom-client";
import type { KeyValueStore } from "../client/identity";

interface Kept {
  readonly turn: number | null;
  readonly draft: View;
}

/** What was sent with an order that has no verdict yet. */
interface Sent {
  readonly draft: View;
  /** The draft fields that were sent; null: all. */
  readonly fields: readonly string[] | null;
}

export class Draft {
  readonly value = signal<View>(null);
  /** The decision of the draft; null if it was made between two, so that it belongs to the next. */
  private turn: number | null = null;
  private open: number | null = null;
  private sent: Sent | null = null;
  private readonly name: string;

  constructor(
    code: string,
    private readonly store: () => KeyValueStore = () => sessionStorage,
  ) {
    this.name = `warroom.draft.${code}`;
    const kept = this.stored();
    this.value.value = kept?.draft ?? null;
    this.turn = kept?.turn ?? null;
  }

  set(draft: View): void {
    this.turn = this.open;
    this.value.value = draft;
    this.save();
  }

  /** Note that an order was sent. */
  send(fields: readonly string[] | null): void {
    this.sent = { draft: this.value.peek(), fields };
  }

  /** The order has its verdict. Fields that were sent and did not change since are dropped; newer ones belong to the
   * next order. */
  settle(isAccepted: boolean): void {
    const { sent } = this;
    this.sent = null;
    if (isAccepted && sent) this.set(left(this.value.peek(), sent));
    else this.follow(this.open);
  }

  /** Follow the open decision (null: none); a draft for a closed decision is dropped.
   *
   * After a reconnect the next decision may be known before the verdict of an order, so the verdict is awaited. */
  follow(turn: number | null): void {
    this.open = turn;
    if (this.sent || turn === null || turn === this.turn) return;
    this.set(this.turn === null ? this.value.peek() : null);
  }

  private save(): void {
    const draft = this.value.peek();
    try {
      if (draft === null) this.store().removeItem(this.name);
      else this.store().setItem(this.name, JSON.stringify({ turn: this.turn, draft } satisfies Kept));
    } catch {
      // Without storage the draft is lost with the page.
    }
  }

  private stored(): Kept | null {
    try {
      return JSON.parse(this.store().getItem(this.name) ?? "null") as Kept | null;
    } catch {
      return null;
    }
  }
}

/** What remains of a draft after the fields sent with it were accepted. */
function left(now: View, { draft, fields }: Sent): View {
  if (!fields) return now === draft ? null : now;
  if (!isMap(now) || !isMap(draft)) return now;
  const kept = Object.entries(now).filter(([name, value]) => !(fields.includes(name) && value === draft[name]));
  return kept.length ? Object.fromEntries(kept) : null;
}
