// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** The public view: everything except the faces of the cards. */
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

/** Losses, the use of stamina, the first player, the balance between colours, and the limit of rounds. */
export interface Options {
  readonly losses: "attrition" | "document";
  readonly march: boolean;
  readonly rotate_first: boolean;
  readonly beginner: "lot" | "red";
  readonly purple_gold: number;
  readonly max_rounds: number;
}

/** The holder of a tile (None: neutral) and its units. */
export interface Tile {
  readonly color: "green" | "orange" | "purple" | "red" | "yellow" | null;
  readonly troops: number;
  readonly tanks: number;
}

/** The public part of a seat: its colour, what it can spend, and its number of cards. */
export interface Player {
  readonly color: "green" | "orange" | "purple" | "red" | "yellow";
  readonly gold: number;
  readonly stamina: number;
  readonly cards: number;
}

/** The private view of a seat: its hand, in the order of drawing. */
export interface PrivateView {
  readonly hand: readonly Card[];
}

/** A card with an id of its own: later decks have the same faces, but other ids (§4.4). */
export interface Card {
  readonly id: number;
  readonly value: number;
  readonly suit: "clubs" | "diamonds" | "hearts" | "spades";
}

/** The deck was empty and a fresh one was shuffled: the number of decks so far. */
export interface DeckRenewedEvent {
  readonly type: "deck";
  readonly decks: number;
}

/** The next seat's turn began, with this additional gold, stamina and number of cards. */
export interface TurnBeganEvent {
  readonly type: "turn";
  readonly seat: number;
  readonly turn: number;
  readonly round: number;
  readonly gold: number;
  readonly stamina: number;
  readonly cards: number;
}

/** For the seat whose turn began: the cards that it drew. */
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

/** For the seat that built a tank: the cards that it spent. */
export interface CardsDiscardedEvent {
  readonly type: "discarded";
  readonly cards: readonly [Card, Card];
}

/** Units moved to the next tile, or marched along *path*, which contains every tile from source to target. */
export interface UnitsMovedEvent {
  readonly type: "move";
  readonly seat: number;
  readonly path: readonly number[];
  readonly troops: number;
  readonly tanks: number;
  readonly is_march: boolean;
}

/** An attack: the power of both sides, and the losses of the attacker. */
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

/** The target changed its holder (*former* nil: it was neutral), and these units moved there from the source. */
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

/** A seat lost its last tile to *by*, or resigned (nil) and left these *tiles* neutral. */
export interface EliminatedEvent {
  readonly type: "elimination";
  readonly seat: number;
  readonly by: number | null;
  readonly tiles: readonly number[];
}

/** A seat's turn is over: it ended the turn or resigned. */
export interface TurnEndedEvent {
  readonly type: "turn_end";
  readonly seat: number;
  readonly turn: number;
  readonly reason: "declined" | "resigned";
}

/** The match is over: the rank of each seat, and whether the victory rule or the limit of rounds ended it. */
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

/** Attack a neighbouring tile of another holder with all units of an own tile. */
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
