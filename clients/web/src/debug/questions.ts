/** Questions to the server's inspector, and its answers; docs/DEBUGGING.md lists them. */

import type { View } from "warroom-client";

export type Move =
  | { readonly type: "act"; readonly seat: number; readonly action: View }
  | { readonly type: "clock" | "resign"; readonly seat: number }
  | { readonly type: "draw" }
  /** *text* is the JSON of the state as typed: numbers keep all their digits. */
  | { readonly type: "edit"; readonly text: string };

/** A local match: what it begins with, and the moves. */
export interface Setup {
  readonly game: string;
  readonly rules_version: number | null;
  readonly seats: number | null;
  readonly options: { readonly [key: string]: View };
  readonly seed: string;
  readonly seating: "as_joined" | "random";
  readonly moves: readonly Move[];
}

export interface GameEvent {
  readonly public: View;
  readonly private: readonly (readonly [number, View])[];
}

export interface Step {
  readonly step: number;
  readonly turn: number;
  readonly at: number;
  readonly asked: readonly number[];
  /** The full state as JSON text. */
  readonly state: string;
  readonly public: View;
  readonly private: readonly View[];
  readonly events: readonly GameEvent[];
  readonly result: { readonly ranks: readonly number[]; readonly reason: string } | null;
}

/** What a seat to act may do. */
export interface Choice {
  readonly seat: number;
  readonly actions: readonly View[];
  readonly notes: readonly string[];
  readonly default: View;
}

/** Why a move could not be played. */
export interface Failure {
  readonly move: number;
  readonly code: string;
  readonly text: string;
  /** The place in an edited state that does not fit, such as `$.hands[0]`. */
  readonly path: string;
}

export interface Steps {
  readonly type: "steps";
  readonly rules_version: number;
  readonly seats: number;
  readonly options: { readonly [key: string]: View };
  readonly complete: boolean;
  /** The turn of every step that exists. */
  readonly turns: readonly number[];
  readonly steps: readonly Step[];
  /** The choices in the last of them. */
  readonly choices: readonly Choice[];
  readonly failure: Failure | null;
}

export interface Imported {
  readonly type: "match";
  readonly match: Omit<Setup, "moves"> & { readonly moves: readonly Exclude<Move, { type: "edit" }>[] };
  readonly omitted: number;
}

export interface Exported {
  readonly type: "file";
  /** In base64. */
  readonly file: string;
}

export type Answer = Steps | Imported | Exported;

/** Return a local match as JSON. */
export function matchText({ moves, ...setup }: Setup): string {
  const texts = moves.map((move) =>
    move.type === "edit" ? `{"type":"edit","state":${move.text}}` : JSON.stringify(move),
  );
  return `${JSON.stringify(setup).slice(0, -1)},"moves":[${texts.join(",")}]}`;
}
