// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** The public view: everything except the generator. */
export interface PublicView {
  readonly options: Options;
  readonly board: Board;
  readonly nodes: readonly Node[];
  readonly colors: readonly ("blue" | "green" | "purple" | "red" | "yellow")[];
  readonly order: readonly number[];
  readonly out: readonly number[];
  readonly seat: number;
  readonly turn: number;
  readonly round: number;
  readonly last_attack_round: number;
  readonly ended: "cap" | "victory" | null;
}

/** The rule for each part of the game, and the limits. */
export interface Options {
  readonly board: "full_grid" | "hex" | "standard";
  readonly attack: "dice" | "document" | "quick";
  readonly dice_percent: number;
  readonly reinforcement: "border_even" | "capital" | "none";
  readonly order: "fixed" | "random_each_round";
  readonly victory: "conquest" | "majority" | "rounds";
  readonly majority_percent: number;
  readonly victory_rounds: number;
  readonly handicap: boolean;
  readonly max_rounds: number;
}

/** The graph, which never changes. A node's id is its index here. */
export interface Board {
  readonly rows: number;
  readonly columns: number;
  readonly positions: readonly (readonly [number, number])[];
  readonly neighbours: readonly (readonly number[])[];
}

/** The holder of a node and its strength. */
export interface Node {
  readonly color: "blue" | "green" | "purple" | "red" | "yellow";
  readonly strength: number;
}

/** A battle: every flip (`a` won by the attacker, `d` by the defender) and the remaining strengths. */
export interface AttackedEvent {
  readonly type: "attack";
  readonly seat: number;
  readonly source: number;
  readonly target: number;
  readonly flips: string;
  readonly source_strength: number;
  readonly target_strength: number;
}

/** The target changed its colour, and *moved* strength went there from the source. */
export interface ConqueredEvent {
  readonly type: "conquest";
  readonly seat: number;
  readonly source: number;
  readonly target: number;
  readonly color: "blue" | "green" | "purple" | "red" | "yellow";
  readonly former: "blue" | "green" | "purple" | "red" | "yellow";
  readonly moved: number;
}

/** A seat lost its last node to *by*, or resigned (nil). */
export interface EliminatedEvent {
  readonly type: "elimination";
  readonly seat: number;
  readonly by: number | null;
}

/** A seat's turn is over: it ended the turn, had no attack left, or resigned. */
export interface TurnEndedEvent {
  readonly type: "turn_end";
  readonly seat: number;
  readonly turn: number;
  readonly reason: "declined" | "exhausted" | "resigned";
}

/** The seat's largest territory gained strength, at these nodes. */
export interface ReinforcedEvent {
  readonly type: "reinforcement";
  readonly seat: number;
  readonly gains: readonly Gain[];
}

/** The strength that a node gains. */
export interface Gain {
  readonly node: number;
  readonly strength: number;
}

/** The order of the seats in the next round was drawn. */
export interface OrderDrawnEvent {
  readonly type: "order";
  readonly round: number;
  readonly order: readonly number[];
}

/** The next seat's turn began. */
export interface TurnBeganEvent {
  readonly type: "turn";
  readonly seat: number;
  readonly turn: number;
  readonly round: number;
}

/** The match is over: the rank of each seat, and whether the victory rule or a limit ended it. */
export interface EndedEvent {
  readonly type: "end";
  readonly ranks: readonly number[];
  readonly reason: string;
}

/** Attack an enemy node from an adjacent own node of strength 2 or more. */
export interface Attack {
  readonly type: "attack";
  readonly source: number;
  readonly target: number;
}

/** End the turn and take the reinforcements. */
export interface EndTurn {
  readonly type: "end_turn";
  readonly capital?: number | null;
}

export type GameEvent =
  | AttackedEvent
  | ConqueredEvent
  | EliminatedEvent
  | TurnEndedEvent
  | ReinforcedEvent
  | OrderDrawnEvent
  | TurnBeganEvent
  | EndedEvent;

export type Action = Attack | EndTurn;

export type PrivateView = null;
