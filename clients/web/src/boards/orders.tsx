/** What the boards make their orders of, so that an order means the same on each of them. */

import type { ComponentChildren } from "preact";

import type { Asked, Refusal, Table } from "./board";
import { capital } from "./words";

/** Whether something can be ordered now: what may be done is known, and nothing is on its way. */
export function canOrder(asked: Asked<unknown> | null): boolean {
  return asked?.legal != null && !asked.isSending;
}

/** The mark of what can be ordered or chosen now, and of nothing else. */
export function legalIf(isLegal: boolean): true | undefined {
  return isLegal || undefined;
}

interface OrderButtonProps {
  readonly isLegal: boolean;
  /** What it looks like besides a button. */
  readonly kind?: string;
  /** What it says when the mouse rests on it, such as why it cannot be used. */
  readonly title?: string | undefined;
  readonly label?: string | undefined;
  /** Without it the form around is sent. */
  readonly onOrder?: () => void;
  readonly children: ComponentChildren;
}

/** A button that gives an order as it stands. */
export function OrderButton({ isLegal, kind = "", title, label, onOrder, children }: OrderButtonProps) {
  return (
    <button
      type={onOrder ? "button" : "submit"}
      class={`button ${kind}`}
      disabled={!isLegal}
      data-legal={legalIf(isLegal)}
      title={title}
      aria-label={label}
      onClick={onOrder}
    >
      {children}
    </button>
  );
}

/** The button that takes back what was composed. */
export function Undo({ onUndo }: { readonly onUndo: () => void }) {
  return (
    <button type="button" class="button plain" onClick={onUndo}>
      Undo
    </button>
  );
}

interface AnswerProps {
  /** Why what was tried last cannot be done. */
  readonly why: string | null;
  readonly refusal: Refusal<unknown> | null;
  /** What to do, where there is nothing to answer. */
  readonly hint: string;
}

/** The line above the orders: what the page or the server says to the last attempt, else what to do. */
export function Answer({ why, refusal, hint }: AnswerProps) {
  return (
    <p class={why || refusal ? "refusal" : "quiet"} aria-live="polite">
      {why ?? refusal?.text ?? hint}
    </p>
  );
}

/** Who is to move, for all others. */
export function toMove(table: Table, seat: number): string {
  return `${capital(table.name(seat))} ${table.seat === seat ? "are" : "is"} to move.`;
}

/** What lets a drawn mark be pressed as a button is, with the mouse and with the keys. */
export function pressing(press: () => void) {
  return {
    onClick: press,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    },
  };
}
