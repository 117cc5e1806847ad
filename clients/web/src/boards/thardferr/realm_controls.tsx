/** Shared controls of the realm tabs. */

import type { ComponentChildren } from "preact";

import type {
  Action,
  Forecast,
  FoughtEvent,
  GameEvent,
  Kingdom,
  PrivateView,
  PublicView,
} from "warroom-client/games/thardferr";
import type { BoardProps, Table } from "../board";
import { OrderButton } from "../orders";

export type Props = BoardProps<PublicView, PrivateView, Action, GameEvent>;

/** An attack in preparation. */
export interface Muster {
  readonly target: number;
  readonly army: { readonly [unit: string]: number };
  readonly strategy: string | null;
}

/** The draft: an attack, and a new distribution of peasants. */
export interface Draft {
  readonly attack?: Muster;
  readonly workers?: Kingdom["workers"];
}

/** The realm and its callbacks, for the tabs. */
export interface Realm {
  readonly view: PublicView;
  readonly secret: PrivateView;
  readonly kingdom: Kingdom;
  readonly forecast: Forecast;
  /** The details of battles that this page has seen. */
  readonly battles: readonly FoughtEvent[];
  readonly table: Table;
  readonly seat: number;
  /** Why no order can be given now: empty while one is being sent, null if orders are possible. */
  readonly idle: string | null;
  readonly draft: Draft;
  setDraft(draft: Draft): void;
  order(action: Action): void;
  /** Explain why something is impossible. */
  say(why: string): void;
}

interface OrderProps {
  readonly realm: Realm;
  /** The action it plays, or a function that starts to compose one. */
  readonly action: Action | (() => void);
  /** Why it is impossible; empty if it is possible. */
  readonly why?: string;
  readonly label?: string;
  readonly kind?: string;
  readonly isPressed?: boolean;
  readonly children: ComponentChildren;
}

/** A button that plays an action, or explains why it cannot. */
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

/** A bar of one value relative to the largest. */
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
