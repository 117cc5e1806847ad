/** A room's display state: the moment on show, the log, the draft, the last refusal. */

import { computed, effect, signal, untracked } from "@preact/signals";
import {
  RejectedError,
  type Room,
  type RoomState,
  type Said,
  type SeatState,
  type Step,
  type View,
} from "warroom-client";
import { loadBoard } from "../boards";
import type { Asked, BoardModule, Refusal, Seating, Table, Told } from "../boards/board";
import { inWords, sentence } from "../client/error_text";
import { StepPlayer } from "../client/step_player";
import { timeUp } from "../client/timeout_text";
import { saveHashes } from "../replay/saved_hashes";
import { isStill, showError } from "../state";
import { safely } from "../ui/error_boundary";
import { BoardMemory } from "./board_memory";
import { ChatInput } from "./chat_input";
import { Draft } from "./draft";
import { LegalActions } from "./legal_actions";
import { LONGEST_LOG, makeTable, seatColour } from "./table";

export type Line =
  | ({ readonly id: number; readonly kind: "step"; readonly turn: number } & Told)
  | { readonly id: number; readonly kind: "remark"; readonly text: string };

export interface Saying {
  readonly id: number;
  readonly player: string;
  readonly name: string;
  readonly seat: number | null;
  readonly text: string;
}

const LONGEST_CHAT = 200;
const BEFORE = "Earlier events are in the replay, after the match.";

export class Match {
  readonly steps: StepPlayer;
  readonly lines = signal<readonly Line[]>([]);
  readonly sayings = signal<readonly Saying[]>([]);
  readonly refusal = signal<Refusal | null>(null);
  readonly isSending = signal(false);
  readonly board = signal<BoardModule | null>(null);
  readonly boardTrouble = signal<string | null>(null);
  readonly draft: Draft;
  readonly memory: BoardMemory;
  readonly legal: LegalActions;
  readonly chatInput = new ChatInput((text) => this.room.ask({ type: "say", text }));
  readonly table = computed<Table>(() => tableOf(this.room));
  readonly asked = computed<Asked | null>(() => this.decision());
  private count = 0;
  private lastAsked: number | null = null;

  constructor(readonly room: Room) {
    const about = () => room.state.about;
    const showsAll = () => room.state.seat === null && about()?.room_options.watch === "all";
    this.steps = new StepPlayer(
      () => isStill() || document.hidden,
      showsAll,
      () => timeToAct(untracked(() => room.state)),
    );
    this.draft = new Draft(room.code);
    this.memory = new BoardMemory(room.code);
    room.on("update", (step) => this.hearStep(step));
    room.on("said", (said) => this.hearSaid(said));
    room.on("expired", (expired) => this.isStoodIn || this.remark(timeUp(expired)));
    room.on("notice", ({ detail }) => this.remark(sentence(detail)));
    this.legal = new LegalActions(room, (error) => this.remark(inWords(error)));
    const game = computed(() => about()?.game);
    effect(() => {
      const wanted = game.value;
      if (wanted) untracked(() => this.fetchBoard(wanted));
    });
    const commitment = computed(() => about()?.commitment);
    const chain = computed(() => room.state.ended?.chain ?? null);
    effect(() => {
      if (commitment.value) saveHashes(room.code, { commitment: commitment.value, chain: chain.value });
    });
    effect(() => this.follow(room.state.prompt?.turn ?? null));
  }

  private fetchBoard(game: string): void {
    loadBoard(game)
      .then((board) => {
        this.steps.duration = (moment) => safely(() => board.duration(moment), 0);
        this.board.value = board;
        for (const line of this.lines.value) if (line.kind === "step") this.remember(line);
      })
      .catch((error: unknown) => {
        this.boardTrouble.value = inWords(error);
      });
  }

  /** Play an action for the open decision, with some or all draft fields; return whether it was accepted. */
  async play(action: View, fields: readonly string[] | null = null): Promise<boolean> {
    this.refusal.value = null;
    this.isSending.value = true;
    this.draft.send(fields);
    const isAccepted = await this.room.act(action).then(
      () => true,
      (error: unknown) => {
        if (error instanceof RejectedError)
          this.refusal.value = { action, code: error.code, text: sentence(error.detail) };
        else showError(error);
        return false;
      },
    );
    this.draft.settle(isAccepted);
    this.isSending.value = false;
    return isAccepted;
  }

  /** The colour of a seat: the board's, or one of the page. */
  colour(seat: number): string {
    const { public: view } = this.steps.moment.value;
    return (view !== null && this.board.value?.colour?.(view, seat)) || seatColour(seat);
  }

  private decision(): Asked | null {
    const { prompt, phase } = this.room.state;
    if (!prompt || phase !== "playing" || !this.steps.isCurrent.value) return null;
    const legal = this.legal.current.value;
    const isKnown = legal?.turn === prompt.turn;
    return {
      turn: prompt.turn,
      legal: isKnown ? legal.actions : null,
      notes: isKnown ? legal.notes : null,
      isComplete: isKnown && legal.complete,
      isSending: this.isSending.value,
    };
  }

  /** Follow the open decision: a new one clears the refusal, and its time starts without old animations. */
  private follow(turn: number | null): void {
    if (turn !== null && turn !== this.lastAsked) {
      this.lastAsked = turn;
      this.refusal.value = null;
      this.steps.hasten();
    }
    this.draft.follow(turn);
  }

  private get isStoodIn(): boolean {
    return untracked(() => this.room.state.seats.some((seat) => seat.stood_in && seat.player === this.room.player));
  }

  private hearSaid(said: Said): void {
    this.sayings.value = [...this.sayings.value, { ...said, id: this.id() }].slice(-LONGEST_CHAT);
  }

  private hearStep(step: Step): void {
    if (isLate(this.steps.moment.value.public, step)) this.remark(BEFORE);
    const { events, serial } = this.steps.push(step);
    if (!events.length) return;
    const line: Line = { id: this.id(), kind: "step", events, serial, turn: step.turn };
    this.write(line);
    this.remember(line);
  }

  /** Update the board's memory with a step; a board that is still loading catches up later. */
  private remember(step: Told): void {
    const { seat } = untracked(() => this.room.state);
    const known = this.memory.value.peek();
    const board = this.board.peek();
    if (board?.remember) this.memory.set(safely(() => board.remember?.(step, known, seat), known));
  }

  private write(line: Line): void {
    this.lines.value = [...this.lines.value, line].slice(-LONGEST_LOG);
  }

  private remark(text: string): void {
    this.write({ id: this.id(), kind: "remark", text });
  }

  private id(): number {
    this.count += 1;
    return this.count;
  }
}

/** Whether a step is the first one seen of a match that has been running. */
function isLate(shown: View, step: Step): boolean {
  return shown === null && step.isFresh && step.public !== null && step.turn > 1;
}

/** The time of the own seat for its open decision when it was prompted, without the bank. */
function timeToAct({ prompt, clock }: RoomState): number {
  return prompt ? Math.max(0, (clock.deadline ?? prompt.deadline) - prompt.at) : Infinity;
}

const matches = new WeakMap<Room, Match>();

/** Return the display state of a room. */
export function matchOf(room: Room): Match {
  const known = matches.get(room);
  if (known) return known;
  const made = untracked(() => new Match(room)); // the first listener gets all earlier news at once
  matches.set(room, made);
  return made;
}

function tableOf(room: Room): Table {
  const { about, seats, seat, phase } = room.state;
  return makeTable(
    about?.game ?? "",
    about?.options ?? {},
    seats.map((each) => seating(each, seat)),
    seat,
    phase === "ended",
  );
}

function seating(state: SeatState, own: number | null): Seating {
  const { seat, name } = state;
  return { seat, name, isYou: seat === own };
}
