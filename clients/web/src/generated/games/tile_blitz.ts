// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** The public view: all but the faces of the cards. */
export interface PublicView {
  readonly options: Options;
  readonly tiles: readonly Tile[];
  readonly players: readonly Player[];
  readonly deck: number;
  readonly decks: number;
  readonly spent: number;
  readonly out: readonly number[];
  readonly seat: number;
  readonly first: number;
  readonly upcoming: readonly number[];
  readonly turn: number;
  readonly round: number;
  readonly ended: "cap" | "victory" | null;
}

/** How losses are counted, what stamina is for, who begins, what evens the colours, and the limit on rounds. */
export interface Options {
  readonly losses: "attrition" | "document";
  readonly march: boolean;
  readonly rotate_first: boolean;
  readonly beginner: "lot" | "red";
  readonly purple_gold: number;
  readonly max_rounds: number;
}

/** Who holds a tile (None: it is neutral), and with what. */
export interface Tile {
  readonly color: "green" | "orange" | "purple" | "red" | "yellow" | null;
  readonly troops: number;
  readonly tanks: number;
}

/** What everybody knows of a seat: its colour, what it can spend, and how many cards it holds. */
export interface Player {
  readonly color: "green" | "orange" | "purple" | "red" | "yellow";
  readonly gold: number;
  readonly stamina: number;
  readonly cards: number;
}

/** What one seat knows besides: its hand, in the order in which it was drawn. */
export interface PrivateView {
  readonly hand: readonly Card[];
}

/** A card with an id of its own: later decks have the same faces, but other ids (§4.4). */
export interface Card {
  readonly id: number;
  readonly value: number;
  readonly suit: "clubs" | "diamonds" | "hearts" | "spades";
}

/** The deck was empty, and a fresh one was shuffled: the number of decks so far. */
export interface DeckRenewedEvent {
  readonly type: "deck";
  readonly decks: number;
}

/** The next seat's turn began, with so much gold, stamina and so many cards more. */
export interface TurnBeganEvent {
  readonly type: "turn";
  readonly seat: number;
  readonly turn: number;
  readonly round: number;
  readonly gold: number;
  readonly stamina: number;
  readonly cards: number;
}

/** To the seat whose turn began: the cards it drew. */
export interface CardsDrawnEvent {
  readonly type: "drawn";
  readonly cards: readonly Card[];
}

/** A seat bought infantry for a tile. */
export interface InfantryBuiltEvent {
  readonly type: "infantry";
  readonly seat: number;
  readonly tile: number;
  readonly count: number;
}

/** A seat turned two of its cards into a tank. */
export interface TankBuiltEvent {
  readonly type: "tank";
  readonly seat: number;
  readonly tile: number;
}

/** To the seat that built a tank: the cards it gave for it. */
export interface CardsDiscardedEvent {
  readonly type: "discarded";
  readonly cards: readonly [Card, Card];
}

/** Units went to the next tile, or marched along *path*, which names every tile from source to target. */
export interface UnitsMovedEvent {
  readonly type: "move";
  readonly seat: number;
  readonly path: readonly number[];
  readonly troops: number;
  readonly tanks: number;
  readonly is_march: boolean;
}

/** An attack: both sides' power, and what the attacker lost. */
export interface AttackedEvent {
  readonly type: "attack";
  readonly seat: number;
  readonly source: number;
  readonly target: number;
  readonly power: number;
  readonly defence: number;
  readonly troops_lost: number;
  readonly tanks_lost: number;
}

/** The target changed hands (*former* nil: it was neutral), and these units went there from the source. */
export interface CapturedEvent {
  readonly type: "capture";
  readonly seat: number;
  readonly source: number;
  readonly target: number;
  readonly color: "green" | "orange" | "purple" | "red" | "yellow";
  readonly former: "green" | "orange" | "purple" | "red" | "yellow" | null;
  readonly troops: number;
  readonly tanks: number;
}

/** A seat lost its last tile, by the hand of *by*, or gave up (nil) and left these *tiles* neutral. */
export interface EliminatedEvent {
  readonly type: "elimination";
  readonly seat: number;
  readonly by: number | null;
  readonly tiles: readonly number[];
}

/** A seat's turn is over, because it said so or gave up. */
export interface TurnEndedEvent {
  readonly type: "turn_end";
  readonly seat: number;
  readonly turn: number;
  readonly reason: "declined" | "resigned";
}

/** The match is over: the rank of each seat, and whether by victory or by the limit on rounds. */
export interface EndedEvent {
  readonly type: "end";
  readonly ranks: readonly number[];
  readonly reason: string;
}

/** Buy infantry for an own tile, one gold each. */
export interface BuildInfantry {
  readonly type: "build_infantry";
  readonly tile: number;
  readonly count: number;
}

/** Turn two cards of the same value into a tank on an own tile. */
export interface BuildTank {
  readonly type: "build_tank";
  readonly tile: number;
  readonly cards: readonly [number, number];
}

/** Move units between own tiles that share an edge. */
export interface Move {
  readonly type: "move";
  readonly source: number;
  readonly target: number;
  readonly troops: number;
  readonly tanks: number;
}

/** Spend 1 stamina to move units between own tiles joined by a path of own tiles. */
export interface March {
  readonly type: "march";
  readonly source: number;
  readonly target: number;
  readonly troops: number;
  readonly tanks: number;
}

/** Attack a tile that is not one's own with all units of an own tile beside it. */
export interface Attack {
  readonly type: "attack";
  readonly source: number;
  readonly target: number;
}

/** End the turn before its time is up. */
export interface EndTurn {
  readonly type: "end_turn";
}

export type GameEvent =
  | DeckRenewedEvent
  | TurnBeganEvent
  | CardsDrawnEvent
  | InfantryBuiltEvent
  | TankBuiltEvent
  | CardsDiscardedEvent
  | UnitsMovedEvent
  | AttackedEvent
  | CapturedEvent
  | EliminatedEvent
  | TurnEndedEvent
  | EndedEvent;

export type Action = BuildInfantry | BuildTank | Move | March | Attack | EndTurn;
