/** What the tabs of a realm are put together from. */

import type { ComponentChildren } from "preact";

import type {
  Action,
  Forecast,
  FoughtEvent,
  GameEvent,
  Kingdom,
  PrivateView,
  PublicView,
} from "../../generated/games/thardferr";
import type { BoardProps, Table } from "../board";
import { OrderButton } from "../orders";

export type Props = BoardProps<PublicView, PrivateView, Action, GameEvent>;

/** An attack that is being put together. */
export interface Muster {
  readonly target: number;
  readonly army: { readonly [unit: string]: number };
  readonly strategy: string | null;
}

/** What is composed: an attack, and another spread of the peasants. */
export interface Draft {
  readonly attack?: Muster;
  readonly workers?: Kingdom["workers"];
}

/** A realm as its tabs need it. */
export interface Realm {
  readonly view: PublicView;
  readonly secret: PrivateView;
  readonly kingdom: Kingdom;
  readonly forecast: Forecast;
  /** The courses of battles, as far as this page was told them. */
  readonly battles: readonly FoughtEvent[];
  readonly table: Table;
  readonly seat: number;
  /** Why nothing can be ordered now, empty for the moment that an order takes; null: something can. */
  readonly idle: string | null;
  readonly draft: Draft;
  setDraft(draft: Draft): void;
  order(action: Action): void;
  /** Say why something cannot be done. */
  say(why: string): void;
}

interface OrderProps {
  readonly realm: Realm;
  /** What it plays or, if it only begins to compose something, does. */
  readonly action: Action | (() => void);
  /** Why it cannot be done; empty if it can. */
  readonly why?: string;
  readonly label?: string;
  readonly kind?: string;
  readonly isPressed?: boolean;
  readonly children: ComponentChildren;
}

/** A button that plays an action, or says why it cannot. */
export function Order({ realm, action, why = "", kind = "small", ...rest }: OrderProps) {
  return (
    <OrderButton
      {...rest}
      kind={kind}
      isLegal={realm.idle === null && !why}
      why={realm.idle ?? why}
      say={realm.say}
      onOrder={() => (typeof action === "function" ? action() : realm.order(action))}
    />
  );
}

/** A bar of one value beside the largest. */
export function Bar({ value, of, colour }: { readonly value: number; readonly of: number; readonly colour?: string }) {
  return (
    <span class="th-bar" aria-hidden="true">
      <i style={{ width: `${of ? Math.min(100, (100 * value) / of) : 0}%`, background: colour ?? "var(--ink-2)" }} />
    </span>
  );
}

export function seatColour(seat: number): string {
  return `var(--seat-${seat % 6})`;
}
