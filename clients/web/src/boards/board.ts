/**
 * The interface between the page and the board of a game.
 *
 * The page owns the connection, the clock, the log, the seats and the replay; a board draws one moment of one match,
 * animates the step that led to it, and lets the own seat compose an action. README.md beside `src` explains it.
 */

import type { ComponentType } from "preact";

import type { View } from "warroom-client";

/** One seat as a board may show it. */
export interface Seating {
  readonly seat: number;
  readonly name: string;
  readonly isYou: boolean;
}

/** The facts that never change while a board is shown. */
export interface Table {
  readonly game: string;
  readonly options: { readonly [key: string]: View };
  readonly seats: readonly Seating[];
  /** The own seat; null for a spectator and in the public view of a replay. */
  readonly seat: number | null;
  /** Whether the match is over, also by agreement or resignation, which no view shows. In a replay: its last moment. */
  readonly isOver: boolean;
  /** The name of a seat: "you", or the name of the player. */
  name(seat: number | null | undefined): string;
}

/** One moment of a match. */
export interface Moment<Public = View, Private = View, Event = View> {
  readonly public: Public;
  /** The private view of the own seat; null in games that hide nothing, and for spectators. */
  readonly private: Private | null;
  /** By seat, if spectators see all hands; else empty. */
  readonly privates: readonly (Private | null)[];
  /** The events of the step that led here, and of earlier steps that were not shown, in order; empty after a jump. */
  readonly events: readonly Event[];
  /** The views before that step; null after a jump or a skip. */
  readonly before: { readonly public: Public; readonly private: Private | null } | null;
  /** Increases with each moment: the key that starts an animation. 0 after a jump in a replay. */
  readonly serial: number;
}

/** The events of a step. */
export type Told<Event = View> = Pick<Moment<View, View, Event>, "events" | "serial">;

/** The open decision of the own seat. */
export interface Asked<Action = View> {
  readonly turn: number;
  /** The legal actions, each playable as it is; null while they load. */
  readonly legal: readonly Action[] | null;
  /** The cost or gain of each of *legal*, in a few words or none; null while it loads. */
  readonly notes: readonly string[] | null;
  /** Whether *legal* is complete; else it is a selection. */
  readonly isComplete: boolean;
  /** Whether an action was sent and has no verdict yet. */
  readonly isSending: boolean;
}

/** Why the last action was refused: shown where it was made until the next one. */
export interface Refusal<Action = View> {
  readonly action: Action;
  readonly code: string;
  readonly text: string;
}

export interface BoardProps<Public = View, Private = View, Action = View, Event = View> {
  readonly table: Table;
  readonly moment: Moment<Public, Private, Event>;
  /** The decision of the own seat; null while others act, for spectators, in replays and while an older moment is
   * animated. */
  readonly asked: Asked<Action> | null;
  readonly refusal: Refusal<Action> | null;
  /** Duration of one unit of animation time: 1 is normal, 0.5 twice as fast, 0 no animation. */
  readonly pace: number;
  /** Play an action. A refusal comes back as `refusal`; true means accepted. *fields* are the draft fields that belong
   * to it; default: all. */
  play(action: Action, fields?: readonly string[]): Promise<boolean>;
  /** The draft, kept over reconnects and reloads until it is sent or its decision closes. A draft made without an open
   * decision, or while an order is pending, belongs to the next one. */
  readonly draft: View;
  setDraft(draft: View): void;
  /** What `remember` made of the steps so far, null before any; it may be ahead of the moment on show. */
  readonly memory: unknown;
  setMemory(memory: unknown): void;
}

/** The input of a game's rules panel. */
export interface RulesProps {
  readonly table: Table | null;
}

/** A page that a game adds beside its matches, such as a calculator, at `#/x/GAME/ID`. */
export interface ExtraPage {
  readonly id: string;
  /** One word for the game's card in the lobby. */
  readonly name: string;
  readonly title: string;
  load(): Promise<ComponentType>;
}

export interface BoardModule<Public = View, Private = View, Action = View, Event = View> {
  readonly Board: ComponentType<BoardProps<Public, Private, Action, Event>>;
  /** The visual rules, with examples; without it the panel shows the rules page of the game. */
  readonly Rules?: ComponentType<RulesProps>;
  /** An event as text, for the log; null leaves it out. */
  tell(event: Event, table: Table): string | null;
  /** All events of one step as text, for games that merge several into one line; default: one by one. */
  tellAll?(events: readonly Event[], table: Table): readonly string[];
  /** Return the board's memory after a step, a plain value, given the previous one (null: none). Called for each step
   * as soon as it is known, even if it is never drawn; kept over reloads. */
  remember?(step: Told<Event>, known: unknown, seat: number | null): unknown;
  /** Whether the board shows refusals itself, where the action was made; else the page shows them below it. */
  readonly showsRefusals?: boolean;
  /** The duration of the animation of a step at normal pace, in milliseconds. */
  duration(moment: Moment<Public, Private, Event>): number;
  /** The seats to act, as far as the public view shows them. */
  toAct?(view: Public): readonly number[];
  /** The seats that are out by the rules, for example conquered; the page knows the seats that left. */
  out?(view: Public): readonly number[];
  /** The colour of a seat on the board, for the list of seats; default: the page's own. */
  colour?(view: Public, seat: number): string;
  /** Why a step is a key moment of a replay, in a few words; null for all others. */
  keyMoment?(moment: Moment<Public, Private, Event>, table: Table): string | null;
}

/** Declare a board with the types of its game; the page itself treats views as plain trees. */
export function defineBoard<Public, Private, Action, Event>(
  module: BoardModule<Public, Private, Action, Event>,
): BoardModule {
  return module as unknown as BoardModule;
}
