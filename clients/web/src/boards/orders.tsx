/** What the boards make their orders of, so that an order means the same on each of them. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Asked, BoardProps, Refusal, Table } from "./board";
import { capital } from "./text_case";

/** Whether something can be ordered now: what may be done is known, and nothing is on its way. */
export function canOrder(asked: Asked<unknown> | null): boolean {
  return asked?.legal != null && !asked.isSending;
}

/** The mark of what can be ordered or chosen now, and of nothing else. */
export function legalIf(isLegal: boolean): true | undefined {
  return isLegal || undefined;
}

type Play<Action> = BoardProps<unknown, unknown, Action>["play"];

/** What a board orders with, in place of what it was given. */
export interface Ordering<Action> {
  /** What the own seat has to decide or, between two orders of one move, had: so the orders stay where they are. */
  readonly asked: Asked<Action> | null;
  /** Whether something can be ordered now. */
  readonly isOpen: boolean;
  /** Why what was tried last came to nothing, by the page or by the server. */
  readonly why: string | null;
  /** Say why what was tried cannot be done; null where it can, so that nothing older is left standing. */
  say(why: string | null): void;
  play: Play<Action>;
}

interface Said {
  readonly turn: number | null;
  /** What the server had refused by then, which is older. */
  readonly refusal: Refusal<unknown> | null;
  readonly text: string | null;
}

/** *isOwnMove*: the own seat is to move, as far as the moment on show tells. */
export function useOrdering<Action>(
  { asked, refusal, table, play }: Pick<BoardProps<unknown, unknown, Action>, "asked" | "refusal" | "table" | "play">,
  isOwnMove: boolean,
): Ordering<Action> {
  const [said, setSaid] = useState<Said | null>(null);
  const last = useRef<Asked<Action> | null>(null);
  if (asked?.legal || !isOwnMove || table.isOver) last.current = asked;
  const turn = asked?.turn ?? null;
  const isLast = said !== null && said.turn === turn && said.refusal === refusal;
  return {
    asked: last.current ?? asked,
    isOpen: canOrder(asked),
    why: isLast ? said.text : (refusal?.text ?? null),
    say: (text) => setSaid({ turn, refusal, text }),
    play: (action, fields) => {
      setSaid(null);
      return play(action, fields);
    },
  };
}

interface OrderButtonProps {
  readonly isLegal: boolean;
  /** What it looks like besides a button. */
  readonly kind?: string;
  readonly label?: string | undefined;
  /** For one that stays pressed until something is chosen. */
  readonly isPressed?: boolean;
  /** Why it cannot be used, which is said when it is tried. */
  readonly why?: string;
  readonly say?: (why: string) => void;
  /** Without it the form around is sent. */
  readonly onOrder?: () => void;
  readonly children: ComponentChildren;
}

/** A button that gives an order as it stands. It keeps the focus when it cannot be used, and says why. */
export function OrderButton({ isLegal, kind = "", label, isPressed, why, say, onOrder, children }: OrderButtonProps) {
  return (
    <button
      type={onOrder ? "button" : "submit"}
      class={`button ${kind}`}
      aria-disabled={!isLegal}
      aria-pressed={isPressed}
      aria-label={label}
      data-legal={legalIf(isLegal && !isPressed)}
      title={(!isLegal && why) || undefined}
      onClick={(event) => {
        if (isLegal) return onOrder?.();
        event.preventDefault();
        if (why) say?.(why);
      }}
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

/** Return what holds an element that gets the focus of something in it that goes, such as a button with its order. */
export function useFocusKept<Kind extends HTMLElement>() {
  const place = useRef<Kind>(null);
  const isInside = place.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if (isInside && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  });
  return place;
}

/** The orders below a board. */
export function OrderRow({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="row" role="group" aria-label="Orders" tabindex={-1} ref={useFocusKept<HTMLDivElement>()}>
      {children}
    </div>
  );
}

/** The line above the orders: what is said to the last attempt, else what to do. */
export function Answer({ why, hint }: { readonly why: string | null; readonly hint: string }) {
  return (
    <p class={why ? "refusal" : "quiet"} aria-live="polite">
      {why ?? hint}
    </p>
  );
}

/** Who is to move, for all others: nobody once it is over, also by an end that is none of the rules. */
export function toMove(table: Table, seat: number): string {
  if (table.isOver) return "The match is over.";
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
