/**
 * What a board is: the one interface between the page and the drawing of a game.
 *
 * The page owns the line, the clock, the log, the seats and the replay; a board draws one moment of one match, animates
 * the step that led to it, and lets the own seat compose an action. README.md beside `src` shows how to write one.
 */

import type { ComponentType } from "preact";

import type { View } from "../generated/messages";

/** One seat as a board may show it. */
export interface Seating {
  readonly seat: number;
  readonly name: string;
  readonly isYou: boolean;
}

/** What never changes while a board is shown. */
export interface Table {
  readonly game: string;
  readonly options: { readonly [key: string]: View };
  readonly seats: readonly Seating[];
  /** The own seat; null for a spectator and in the public view of a replay. */
  readonly seat: number | null;
  /** Whether nothing is played here any more, however it ended: agreed ends and resignations are in no view. In a replay
   * that is its last moment. */
  readonly isOver: boolean;
  /** The name of a seat: "you", or what the player is called. */
  name(seat: number | null | undefined): string;
}

/** One moment of a match. */
export interface Moment<Public = View, Private = View, Event = View> {
  readonly public: Public;
  /** What the own seat knows besides; null in games that hide nothing, and for spectators. */
  readonly private: Private | null;
  /** By seat, where spectators see all hands; else empty. */
  readonly privates: readonly (Private | null)[];
  /** What happened in the step that led here, and in those before it that were not shown, in order; empty after a jump. */
  readonly events: readonly Event[];
  /** The views before that step; null when the moment was jumped to or skipped to. */
  readonly before: { readonly public: Public; readonly private: Private | null } | null;
  /** Rises with each moment: the key to start an animation by. 0 after a jump in a replay, which no moment led to. */
  readonly serial: number;
}

/** What a step brought. */
export type Told<Event = View> = Pick<Moment<View, View, Event>, "events" | "serial">;

/** The open decision of the own seat. */
export interface Asked<Action = View> {
  readonly turn: number;
  /** What may be done; null while it is being fetched. Each can be played as it is. */
  readonly legal: readonly Action[] | null;
  /** What each of *legal* costs or brings, in a few words or none; null while it is being fetched. */
  readonly notes: readonly string[] | null;
  /** Whether nothing but *legal* may be done; else it is a selection. */
  readonly isComplete: boolean;
  /** An action is on its way and has no verdict yet. */
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
  /** What the own seat has to decide; null while others act, for spectators, in replays and while an older moment is
   * still being animated. */
  readonly asked: Asked<Action> | null;
  readonly refusal: Refusal<Action> | null;
  /** How long one unit of animation time takes: 1 as usual, 0.5 twice as fast, 0 no animation at all. */
  readonly pace: number;
  /** Play an action. A refusal comes back as `refusal`; true says that it was accepted. *fields* are those of the draft
   * that go with it; without, all of it does. */
  play(action: Action, fields?: readonly string[]): Promise<boolean>;
  /** The half-composed order, kept over reconnects and reloads until it is sent or the decision is gone; what is composed
   * while none is open, or while an order is on its way, is for the next. */
  readonly draft: View;
  setDraft(draft: View): void;
  /** What `hear` has made of the steps so far, null before any: it knows more than the moment on show. */
  readonly heard: unknown;
  setHeard(heard: unknown): void;
}

/** What a game's rules panel gets. */
export interface RulesProps {
  readonly table: Table | null;
}

/** A page of a game's own beside the match, such as a calculator; it is at `#/x/GAME/ID`. */
export interface ExtraPage {
  readonly id: string;
  /** In a word, for the game's card in the lobby. */
  readonly name: string;
  readonly title: string;
  load(): Promise<ComponentType>;
}

export interface BoardModule<Public = View, Private = View, Action = View, Event = View> {
  readonly Board: ComponentType<BoardProps<Public, Private, Action, Event>>;
  /** The rules to see, with examples; without it the panel shows the rules page of the game. */
  readonly Rules?: ComponentType<RulesProps>;
  /** An event in words, for the log; null leaves it out. */
  tell(event: Event, table: Table): string | null;
  /** All events of one step in words, where several in a row may be one thing to a reader; without it each is told. */
  tellAll?(events: readonly Event[], table: Table): readonly string[];
  /** Return what the board has to remember after a step, a plain value, given what it remembered before (null: nothing).
   * Called for each step as soon as it is known, also for those that are never drawn; kept over reloads. */
  hear?(step: Told<Event>, known: unknown, seat: number | null): unknown;
  /** Whether the board shows refusals itself, where the action was made; else the page shows them below it. */
  readonly showsRefusals?: boolean;
  /** How long the animation of a step takes at the usual pace, in milliseconds. */
  duration(moment: Moment<Public, Private, Event>): number;
  /** Which seats are to act, as far as the public view tells. */
  toAct?(view: Public): readonly number[];
  /** Which seats are out of play by the rules, such as those that were conquered; who left is known without. */
  out?(view: Public): readonly number[];
  /** The colour that a seat has on the board, for the list of seats; without it the page's own. */
  colour?(view: Public, seat: number): string;
  /** What makes a step worth jumping to in a replay, in a few words; null for all others. */
  turningPoint?(moment: Moment<Public, Private, Event>, table: Table): string | null;
}

/** Declare a board with the types of its game; the page itself treats views as plain trees. */
export function defineBoard<Public, Private, Action, Event>(
  module: BoardModule<Public, Private, Action, Event>,
): BoardModule {
  return module as unknown as BoardModule;
}
