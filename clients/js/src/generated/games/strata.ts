// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** The board, the pools, and the progress of the turn. */
export interface PublicView {
  readonly options: Options;
  readonly vertices: readonly (Stack | null)[];
  readonly pools: readonly [Pool, Pool];
  readonly dominion: readonly [number, number];
  readonly seat: number;
  readonly turn: number;
  readonly placed: boolean;
  readonly infused: boolean;
  readonly moved: boolean;
  readonly out: readonly number[];
  readonly ended: "cap" | "victory" | null;
}

/** The length of the match, and how strict the duties are. */
export interface Options {
  readonly max_turns: number;
  readonly mandatory_move: boolean;
}

/** The pieces and the energy on a vertex: at least one piece, all of one seat. */
export interface Stack {
  readonly seat: number;
  readonly pieces: number;
  readonly energy: number;
}

/** The pieces and energy points that a seat can still put on the board. */
export interface Pool {
  readonly pieces: number;
  readonly energy: number;
}

/** A piece went from the pool to a home corner, where there are *pieces* now. */
export interface PlacedEvent {
  readonly type: "place";
  readonly seat: number;
  readonly vertex: readonly [layer: number, x: number, y: number];
  readonly pieces: number;
  readonly force: string;
}

/** An energy point went from the pool to a stack, which has *energy* now. */
export interface InfusedEvent {
  readonly type: "infuse";
  readonly seat: number;
  readonly vertex: readonly [layer: number, x: number, y: number];
  readonly energy: number;
  readonly force: string;
}

/** A stack went to another vertex; its force there is *force*. */
export interface MovedEvent {
  readonly type: "move";
  readonly seat: number;
  readonly source: readonly [layer: number, x: number, y: number];
  readonly target: readonly [layer: number, x: number, y: number];
  readonly pieces: number;
  readonly energy: number;
  readonly force: string;
}

/** A combat: both sides, the winner, and what the winner has left and where. */
export interface AttackedEvent {
  readonly type: "attack";
  readonly seat: number;
  readonly source: readonly [layer: number, x: number, y: number];
  readonly target: readonly [layer: number, x: number, y: number];
  readonly attacker: Fighter;
  readonly defender: Fighter;
  readonly winner: number;
  readonly pieces: number;
  readonly energy: number;
}

/** One side of a combat before it, and the force that it exerted. */
export interface Fighter {
  readonly seat: number;
  readonly pieces: number;
  readonly energy: number;
  readonly force: string;
}

/** A seat lost its last piece, in a combat with *by*, or resigned (nil). */
export interface EliminatedEvent {
  readonly type: "elimination";
  readonly seat: number;
  readonly by: number | null;
}

/** A seat's turn is over, and its occupied vertices added *gain* to its dominion. */
export interface TurnEndedEvent {
  readonly type: "turn_end";
  readonly seat: number;
  readonly turn: number;
  readonly reason: "attacked" | "ended" | "timed_out";
  readonly gain: number;
  readonly dominion: number;
}

/** The next seat's turn began; its pool includes the new piece and energy point. */
export interface TurnBeganEvent {
  readonly type: "turn";
  readonly seat: number;
  readonly turn: number;
  readonly pieces: number;
  readonly energy: number;
}

/** The match is over: the rank of each seat, and whether the victory rule or the length limit ended it. */
export interface EndedEvent {
  readonly type: "end";
  readonly ranks: readonly number[];
  readonly reason: string;
}

/** Put a piece from the pool on an own home corner. */
export interface Place {
  readonly type: "place";
  readonly vertex: readonly [layer: number, x: number, y: number];
}

/** Put an energy point from the pool on an own stack. */
export interface Infuse {
  readonly type: "infuse";
  readonly vertex: readonly [layer: number, x: number, y: number];
}

/** Move a whole stack to an adjacent empty vertex. */
export interface Move {
  readonly type: "move";
  readonly source: readonly [layer: number, x: number, y: number];
  readonly target: readonly [layer: number, x: number, y: number];
}

/** Attack an adjacent enemy stack, which ends the turn. */
export interface Attack {
  readonly type: "attack";
  readonly source: readonly [layer: number, x: number, y: number];
  readonly target: readonly [layer: number, x: number, y: number];
}

/** End the turn without an attack. */
export interface EndTurn {
  readonly type: "end_turn";
}

/** Do the remaining duties except the move, and end the turn. Only the clock plays it. */
export interface TimeOut {
  readonly type: "time_out";
}

export type GameEvent =
  | PlacedEvent
  | InfusedEvent
  | MovedEvent
  | AttackedEvent
  | EliminatedEvent
  | TurnEndedEvent
  | TurnBeganEvent
  | EndedEvent;

export type Action = Place | Infuse | Move | Attack | EndTurn | TimeOut;

export type PrivateView = null;
