// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** The public view. */
export interface PublicView {
  readonly options: Options;
  readonly colors: readonly ["green" | "red", "green" | "red"];
  readonly bases: readonly [Base, Base];
  readonly forests: readonly (readonly [number, number])[];
  readonly neutral_walls: readonly number[];
  readonly seat: number;
  readonly turn: number;
  readonly round: number;
  readonly held: readonly [number, number];
  readonly streaks: readonly [number, number];
  readonly ended: "base" | "cap" | "forests" | "left" | null;
  readonly ranks: readonly number[];
  readonly board: Board | null;
}

/** The board, its fog, and the limits of a match. */
export interface Options {
  readonly size: 10 | 20 | 30;
  readonly forests: number;
  readonly fog: boolean;
  readonly base_hit_spends_unit: boolean;
  readonly reserve_rounds: number;
  readonly max_turns: number;
}

/** A base: its tile and its remaining points. */
export interface Base {
  readonly x: number;
  readonly y: number;
  readonly hp: number;
}

/** Everything on the board, seen or not, and the possessions of each seat. */
export interface Board {
  readonly holdings: readonly Holding[];
  readonly neutral_walls: readonly number[];
  readonly walls: readonly Wall[];
  readonly cooling: readonly Cooling[];
}

/** The possessions of one seat. */
export interface Holding {
  readonly wood: number;
  readonly reserves: number;
  readonly has_built: boolean;
  readonly units: readonly Unit[];
}

/** A unit: its tile, its points, and the own turn ends, up to 3, that it has been still or in a forest. */
export interface Unit {
  readonly x: number;
  readonly y: number;
  readonly points: number;
  readonly still: number;
  readonly forest: number;
}

/** A wall that a player built on an edge. */
export interface Wall {
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
  readonly owner: number;
  readonly hp: number;
}

/** An edge that lost its wall, and the round from which it may have one again. */
export interface Cooling {
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
  readonly ready_round: number;
}

/** The private view: what one seat knows besides the table. */
export interface PrivateView {
  readonly seat: number;
  readonly wood: number;
  readonly reserves: number;
  readonly has_built: boolean;
  readonly units: readonly Unit[];
  readonly enemies: readonly Unit[];
  readonly neutral_walls: readonly number[];
  readonly walls: readonly Wall[];
  readonly cooling: readonly Cooling[];
  readonly tiles: readonly string[];
}

/** A unit was deployed from the reserves. */
export interface DeployedEvent {
  readonly type: "deploy";
  readonly seat: number;
  readonly target: readonly [number, number];
  readonly points: number;
}

/** Wood became reserves. */
export interface ConvertedEvent {
  readonly type: "convert";
  readonly seat: number;
  readonly wood: number;
  readonly reserves: number;
}

/** A wall was built on an edge. */
export interface WallBuiltEvent {
  readonly type: "wall_built";
  readonly seat: number;
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
}

/** A wall was removed by its owner. */
export interface WallRemovedEvent {
  readonly type: "wall_removed";
  readonly seat: number;
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
}

/** A unit at *source* hit a wall, which lost *damage* of its HP and falls when *hp* is 0. */
export interface WallHitEvent {
  readonly type: "wall_hit";
  readonly seat: number;
  readonly source: readonly [number, number] | null;
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
  readonly damage: number;
  readonly hp: number;
}

/** An action failed because of something unseen: the edge is cooling, or the own wall is gone. */
export interface UnavailableEvent {
  readonly type: "unavailable";
  readonly seat: number;
  readonly action: "build_wall" | "remove_wall";
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
  readonly ready_round: number | null;
}

/** A unit moved. */
export interface MovedEvent {
  readonly type: "move";
  readonly seat: number;
  readonly source: readonly [number, number] | null;
  readonly target: readonly [number, number] | null;
  readonly points: number;
}

/** A unit merged into another: the points at the target, and those that stayed at the source. */
export interface MergedEvent {
  readonly type: "merge";
  readonly seat: number;
  readonly source: readonly [number, number] | null;
  readonly target: readonly [number, number] | null;
  readonly points: number | null;
  readonly rest: number | null;
}

/** A fight: the strength of both, the rolls, and the remaining points. */
export interface AttackedEvent {
  readonly type: "attack";
  readonly seat: number;
  readonly source: readonly [number, number];
  readonly target: readonly [number, number];
  readonly attacker: number;
  readonly defender: number;
  readonly roll: number;
  readonly luck: number;
  readonly shield: number;
  readonly support: number;
  readonly draw: number | null;
  readonly attacker_left: number;
  readonly defender_left: number;
}

/** A unit hit the enemy base. */
export interface BaseHitEvent {
  readonly type: "base_hit";
  readonly seat: number;
  readonly source: readonly [number, number];
  readonly damage: number;
  readonly hp: number;
  readonly is_spent: boolean;
}

/** The income of a seat at the end of its turn. */
export interface IncomeEvent {
  readonly type: "income";
  readonly seat: number;
  readonly wood: number;
  readonly reserves: number;
}

/** A turn is over: the forests that each seat holds, and how many own turns in a row it held all. */
export interface TurnEndedEvent {
  readonly type: "turn_end";
  readonly seat: number;
  readonly turn: number;
  readonly held: number;
  readonly streak: number;
}

/** The other seat's turn began. */
export interface TurnBeganEvent {
  readonly type: "turn";
  readonly seat: number;
  readonly turn: number;
  readonly round: number;
}

/** The match is over: the rank of each seat, and the reason. */
export interface EndedEvent {
  readonly type: "end";
  readonly ranks: readonly number[];
  readonly reason: "base" | "cap" | "forests" | "left";
}

/** Move a unit to an empty tile next to it. */
export interface Move {
  readonly type: "move";
  readonly x: number;
  readonly y: number;
  readonly direction: "e" | "n" | "ne" | "nw" | "s" | "se" | "sw" | "w";
}

/** Attack a neighbouring enemy unit, or the enemy base. */
export interface Attack {
  readonly type: "attack";
  readonly x: number;
  readonly y: number;
  readonly direction: "e" | "n" | "ne" | "nw" | "s" | "se" | "sw" | "w";
}

/** Move a unit into an own unit of the same tier. */
export interface Merge {
  readonly type: "merge";
  readonly x: number;
  readonly y: number;
  readonly direction: "e" | "n" | "ne" | "nw" | "s" | "se" | "sw" | "w";
}

/** Hit a wall on an edge of the unit's tile. */
export interface HitWall {
  readonly type: "hit_wall";
  readonly x: number;
  readonly y: number;
  readonly direction: "e" | "n" | "s" | "w";
}

/** End the turn without an ending action. */
export interface Pass {
  readonly type: "pass";
}

/** Turn reserves into a unit near the own base. */
export interface Deploy {
  readonly type: "deploy";
  readonly x: number;
  readonly y: number;
  readonly points: number;
}

/** Turn 20 wood into a reserve. */
export interface Convert {
  readonly type: "convert";
}

/** Turn as much wood into reserves as possible. */
export interface ConvertAll {
  readonly type: "convert_all";
}

/** Build a wall on an edge of a tile with an own unit. */
export interface BuildWall {
  readonly type: "build_wall";
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
}

/** Remove an own wall. */
export interface RemoveWall {
  readonly type: "remove_wall";
  readonly x: number;
  readonly y: number;
  readonly side: "east" | "south";
}

export type GameEvent =
  | DeployedEvent
  | ConvertedEvent
  | WallBuiltEvent
  | WallRemovedEvent
  | WallHitEvent
  | UnavailableEvent
  | MovedEvent
  | MergedEvent
  | AttackedEvent
  | BaseHitEvent
  | IncomeEvent
  | TurnEndedEvent
  | TurnBeganEvent
  | EndedEvent;

export type Action = Move | Attack | Merge | HitWall | Pass | Deploy | Convert | ConvertAll | BuildWall | RemoveWall;
