/** A local match of the inspector: the moves, the step on show, and what can be undone. */

import { batch, signal } from "@preact/signals";
import type { View } from "warroom-client";
import { inWords } from "../client/error_text";
import type { InspectorConnection } from "./connection";
import type { Choice, Failure, Move, Setup, Step, Steps } from "./questions";

/** The match with the step on show. */
export interface Shown {
  readonly setup: Setup;
  readonly step: number;
  readonly answer: Steps;
}

export type Asking = Pick<InspectorConnection, "show" | "read" | "write">;

/** What is kept over a reload. */
export interface Keeping {
  load(): Pick<Shown, "setup" | "step"> | null;
  save(kept: Pick<Shown, "setup" | "step">): void;
}

const MOST_UNDONE = 100;

/** Nothing changes before the inspector answered: a match that it refuses leaves the one on show as it is. */
export class LocalMatch {
  readonly shown = signal<Shown | null>(null);
  /** Why the last change failed. */
  readonly trouble = signal("");
  readonly isBusy = signal(false);
  readonly undoable = signal<readonly Shown[]>([]);
  private count = 0;

  constructor(
    private readonly inspector: Asking,
    private readonly keeping: Keeping,
    readonly game: string,
  ) {}

  /** Show the match that was kept, or a new one. */
  async open(): Promise<void> {
    const kept = this.keeping.load();
    if (!kept || !(await this.change(kept.setup, kept.step))) await this.begin(newSetup(this.game));
  }

  /** Begin another match, at its last move. */
  begin(setup: Setup): Promise<Steps | null> {
    return this.change(setup, setup.moves.length);
  }

  /** Show another step. */
  async go(step: number): Promise<void> {
    const here = this.shown.value;
    if (!here) return;
    const wanted = Math.max(0, Math.min(here.answer.turns.length - 1, step));
    const answer = await this.ask(here.setup, wanted);
    if (answer) this.show({ setup: here.setup, step: wanted, answer });
  }

  /** Play a move at the step on show, in place of the later ones; return why it is refused, or null. */
  async play(move: Move): Promise<Failure | null> {
    return this.insert(move, []);
  }

  /** Go on from another state: after the step on show, or in place of the edit that led there. */
  async edit(text: string, keepsLater: boolean): Promise<Failure | null> {
    const here = this.shown.value;
    if (!here) return null;
    const { moves } = here.setup;
    const isAgain = moves[here.step - 1]?.type === "edit";
    return this.insert({ type: "edit", text }, keepsLater ? moves.slice(here.step) : [], isAgain ? 1 : 0);
  }

  /** Play *count* random moves, or as many as the match still has. */
  async playRandom(count: number): Promise<void> {
    for (let played = 0; played < count; played += 1) {
      const move = randomMove(this.shown.value?.answer.choices ?? []);
      if (!move || (await this.play(move))) return;
    }
  }

  /** Drop the moves after the step on show. */
  async cut(): Promise<void> {
    const here = this.shown.value;
    if (here) await this.change({ ...here.setup, moves: here.setup.moves.slice(0, here.step) }, here.step);
  }

  async undo(): Promise<void> {
    const last = this.undoable.value.at(-1);
    if (!last) return;
    const answer = await this.ask(last.setup, last.step);
    if (!answer) return;
    this.undoable.value = this.undoable.value.slice(0, -1);
    this.show({ ...last, answer });
  }

  /** Show the match of a replay; return how many of its entries change nothing in the game. */
  async importReplay(load: () => Promise<Uint8Array>): Promise<number | null> {
    try {
      const { match, omitted } = await this.inspector.read(await load());
      return (await this.begin(match)) && omitted;
    } catch (error) {
      this.trouble.value = inWords(error);
      return null;
    }
  }

  /** Return the file of a replay with all moves; null if there is none. */
  async exportReplay(): Promise<Uint8Array<ArrayBuffer> | null> {
    const here = this.shown.value;
    if (!here) return null;
    this.trouble.value = "";
    return this.inspector.write(here.setup).catch((error: unknown) => {
      this.trouble.value = inWords(error);
      return null;
    });
  }

  private async insert(move: Move, later: readonly Move[], replaced = 0): Promise<Failure | null> {
    const here = this.shown.value;
    if (!here) return null;
    const before = here.setup.moves.slice(0, here.step - replaced);
    const setup = { ...here.setup, moves: [...before, move, ...later] };
    const answer = await this.ask(setup, before.length + 1);
    if (!answer) return this.unanswered(before.length);
    if (answer.failure?.move === before.length) return answer.failure;
    this.adopt(here, { setup, step: before.length + 1, answer });
    return null;
  }

  /** Why a move has no answer, to be shown where it was made. */
  private unanswered(move: number): Failure {
    const text = this.trouble.value || "Something else was asked meanwhile.";
    this.trouble.value = "";
    return { move, code: "unanswered", text, path: "" };
  }

  private async change(setup: Setup, step: number): Promise<Steps | null> {
    const answer = await this.ask(setup, step);
    const last = answer?.steps.at(-1);
    if (answer && last) this.adopt(this.shown.value, { setup, step: last.step, answer });
    return answer;
  }

  private adopt(before: Shown | null, shown: Shown): void {
    if (before) this.undoable.value = [...this.undoable.value, before].slice(-MOST_UNDONE);
    this.show(shown);
  }

  private show(shown: Shown): void {
    this.shown.value = shown;
    this.keeping.save(shown);
  }

  /** Ask for a step and the one before it; null if it fails, or if something else was asked meanwhile. */
  private async ask(setup: Setup, step: number): Promise<Steps | null> {
    this.count += 1;
    const mine = this.count;
    this.isBusy.value = true;
    let trouble = "";
    const answer = await this.inspector.show(setup, Math.max(0, step - 1), step).catch((error: unknown) => {
      trouble = inWords(error);
      return null;
    });
    if (mine !== this.count) return null;
    batch(() => {
      this.isBusy.value = false;
      this.trouble.value = trouble;
    });
    return answer;
  }
}

export function newSetup(game: string): Setup {
  return { game, rules_version: null, seats: null, options: {}, seed: "1", seating: "as_joined", moves: [] };
}

/** Return the step on show and the one before it. */
export function stepsOf({ answer, step }: Shown): {
  readonly now: Step | undefined;
  readonly before: Step | undefined;
} {
  return {
    now: answer.steps.find((each) => each.step === step),
    before: answer.steps.find((each) => each.step === step - 1),
  };
}

function randomMove(choices: readonly Choice[]): Move | null {
  const able = choices.filter((choice) => choice.actions.length);
  const choice = pick(able);
  const action = choice && pick(choice.actions);
  return choice && action !== undefined ? { type: "act", seat: choice.seat, action } : null;
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

/** An action on one line, for people. */
export function inShort(view: View): string {
  if (view === null || typeof view !== "object" || Array.isArray(view)) return JSON.stringify(view);
  const { type, ...fields } = view as { readonly [key: string]: View };
  const parts = Object.entries(fields).map(
    ([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [...(type === undefined ? [] : [String(type)]), ...parts].join(" ");
}
