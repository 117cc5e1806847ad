/** Order controls that all boards share, so that an order works the same everywhere. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Asked, BoardProps, Refusal, Table } from "./board";
import { capital } from "./text_case";

/** Whether an order can be given now: the legal actions are known, and nothing is being sent. */
export function canOrder(asked: Asked<unknown> | null): boolean {
  return asked?.legal != null && !asked.isSending;
}

/** The `data-legal` mark of a target that can be ordered or chosen now. */
export function legalIf(isLegal: boolean): true | undefined {
  return isLegal || undefined;
}

type Play<Action> = BoardProps<unknown, unknown, Action>["play"];

/** The ordering state of a board; replaces the props of the same names. */
export interface Ordering<Action> {
  /** The decision of the own seat; between two orders of one move, the previous one, so that the controls stay. */
  readonly asked: Asked<Action> | null;
  /** Whether an order can be given now. */
  readonly isOpen: boolean;
  /** Why the last attempt failed, according to the page or the server. */
  readonly why: string | null;
  /** Explain why an attempt is impossible; null clears the explanation. */
  say(why: string | null): void;
  play: Play<Action>;
}

interface Said {
  readonly turn: number | null;
  /** The server's last refusal at that time, which is older. */
  readonly refusal: Refusal<unknown> | null;
  readonly text: string | null;
}

/** *isOwnMove*: the own seat is to move in the moment on show. */
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
  /** Extra class names. */
  readonly kind?: string;
  readonly label?: string | undefined;
  /** For a toggle that stays pressed until something is chosen. */
  readonly isPressed?: boolean;
  /** Why it cannot be used; shown when it is pressed. */
  readonly why?: string;
  readonly say?: (why: string) => void;
  /** Without it, the button submits its form. */
  readonly onOrder?: () => void;
  readonly children: ComponentChildren;
}

/** A button that gives an order. If it cannot be used, it keeps the focus and explains why. */
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

/** The button that discards the draft. */
export function Undo({ onUndo }: { readonly onUndo: () => void }) {
  return (
    <button type="button" class="button plain" onClick={onUndo}>
      Undo
    </button>
  );
}

/** Return a ref for a container that receives the focus of a removed child, such as a button after its order. */
export function useFocusKept<Kind extends HTMLElement>() {
  const place = useRef<Kind>(null);
  const isInside = place.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if (isInside && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  });
  return place;
}

/** The row of orders below a board. */
export function OrderRow({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="row" role="group" aria-label="Orders" tabindex={-1} ref={useFocusKept<HTMLDivElement>()}>
      {children}
    </div>
  );
}

/** The line above the orders: the answer to the last attempt, or else what to do. */
export function Answer({ why, hint }: { readonly why: string | null; readonly hint: string }) {
  return (
    <p class={why ? "refusal" : "quiet"} aria-live="polite">
      {why ?? hint}
    </p>
  );
}

/** Whose move it is, for everybody else; empty once the match is over, for whatever reason. */
export function toMove(table: Table, seat: number): string {
  if (table.isOver) return "The match is over.";
  return `${capital(table.name(seat))} ${table.seat === seat ? "are" : "is"} to move.`;
}

/** Props that let a drawn mark be pressed like a button, with the mouse or the keyboard. */
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
