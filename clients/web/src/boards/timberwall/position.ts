/** Derives what is known and possible on a field of Timberwall; sections refer to the rules page. */

import type { Action, Cooling, GameEvent, PrivateView, PublicView, Unit, Wall } from "warroom-client/games/timberwall";
import type { Moment, Table } from "../board";
import { LENGTH_LIMIT } from "../text_case";

export type Step = Moment<PublicView, PrivateView, GameEvent>;
export type Side = Wall["side"];
type Direction = Extract<Action, { type: "move" }>["direction"];

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Edge extends Place {
  readonly side: Side;
}

export interface Stores {
  readonly wood: number;
  readonly reserves: number;
  readonly has_built: boolean;
}

/** The draft: a unit to act, units to deploy, or walls. */
export type Draft =
  | { readonly mode: "unit"; readonly x: number; readonly y: number }
  | { readonly mode: "deploy"; readonly points: number }
  | { readonly mode: "wall" }
  | { readonly mode: "remove" };

/** Everything a viewer knows, from all of its views. */
export interface Sight {
  readonly units: readonly (Unit & { readonly seat: number })[];
  readonly neutral: readonly Edge[];
  readonly walls: readonly Wall[];
  readonly cooling: readonly Cooling[];
  /** By seat; null if hidden. */
  readonly stores: readonly (Stores | null)[];
  /** By row: `.` visible, `-` explored, `?` unexplored; null without fog. */
  readonly tiles: readonly string[] | null;
}

export function sightOf(step: Pick<Step, "public" | "private" | "privates">): Sight {
  const { board, options, colors } = step.public;
  if (board) {
    return {
      units: board.holdings.flatMap((holding, seat) => holding.units.map((unit) => ({ ...unit, seat }))),
      neutral: board.neutral_walls.map((number) => edgeOf(number, options.size)),
      walls: board.walls,
      cooling: board.cooling,
      stores: board.holdings,
      tiles: null,
    };
  }
  const known = step.private ? [step.private] : step.privates.filter((view) => view !== null);
  const neutral = known[0] ? new Set(known.flatMap((view) => view.neutral_walls)) : step.public.neutral_walls;
  return {
    units: distinct(known.flatMap(unitsIn), at),
    neutral: [...neutral].map((number) => edgeOf(number, options.size)),
    walls: distinct(
      known.flatMap((view) => view.walls),
      (wall) => at(wall) + wall.side,
    ),
    cooling: distinct(
      known.flatMap((view) => view.cooling),
      (edge) => at(edge) + edge.side,
    ),
    stores: colors.map((_, seat) => known.find((view) => view.seat === seat) ?? null),
    tiles: known[0] ? known.map((view) => view.tiles).reduce(clearer) : null,
  };
}

function unitsIn(view: PrivateView): (Unit & { seat: number })[] {
  const own = view.units.map((unit) => ({ ...unit, seat: view.seat }));
  return [...own, ...view.enemies.map((unit) => ({ ...unit, seat: 1 - view.seat }))];
}

function distinct<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

function clearer(one: readonly string[], other: readonly string[]): string[] {
  const rank = ".-?";
  return one.map((row, y) =>
    [...row]
      .map((tile, x) => (rank.indexOf(tile) <= rank.indexOf(other[y]?.[x] ?? "?") ? tile : other[y]?.[x]))
      .join(""),
  );
}

export function at({ x, y }: Place): string {
  return `${x},${y}`;
}

export function same(one: Place, other: Place): boolean {
  return one.x === other.x && one.y === other.y;
}

/** The edge with a number. */
export function edgeOf(number: number, size: number): Edge {
  const tile = number >> 1; // §1.3
  return { x: tile % size, y: Math.floor(tile / size), side: number % 2 ? "south" : "east" };
}

const STEPS: { readonly [direction in Direction]: readonly [number, number] } = {
  n: [0, -1],
  ne: [1, -1],
  e: [1, 0],
  se: [1, 1],
  s: [0, 1],
  sw: [-1, 1],
  w: [-1, 0],
  nw: [-1, -1],
};

export type UnitAction = Extract<Action, { direction: unknown }>;

/** The target of a unit's action. */
export function targetOf(action: UnitAction): Place {
  const [right, down] = STEPS[action.direction];
  return { x: action.x + right, y: action.y + down };
}

const AIMS: { readonly [type in Action["type"]]?: string } = {
  attack: "Attack",
  deploy: "Deploy at",
  merge: "Merge with",
  move: "Move to",
};

/** The effect on a tile, as text. */
export function aimedAt({ type }: Action, { x, y }: Place): string {
  return `${AIMS[type] ?? type} ${x}, ${y}`;
}

/** The tile meant by a point of the field, in tile units: the tile below it or, if that offers no choice, the nearest
 * target whose centre is within *reach*. */
export function tileMeant(point: Place, size: number, reach: number, isTarget: (tile: Place) => boolean): Place {
  const tile = { x: Math.min(size - 1, Math.floor(point.x)), y: Math.min(size - 1, Math.floor(point.y)) };
  if (isTarget(tile)) return tile;
  const far = ({ x, y }: Place) => Math.hypot(x + 0.5 - point.x, y + 0.5 - point.y);
  const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => ({ x: tile.x + right, y: tile.y + down })));
  const near = around.filter((each) => isTarget(each) && far(each) <= reach);
  return near.sort((one, other) => far(one) - far(other))[0] ?? tile;
}

/** The edge hit by an attack on a wall. */
export function edgeHit({ x, y, direction }: Extract<Action, { type: "hit_wall" }>): Edge {
  switch (direction) {
    case "e":
      return { x, y, side: "east" };
    case "s":
      return { x, y, side: "south" };
    case "w":
      return { x: x - 1, y, side: "east" };
    case "n":
      return { x, y: y - 1, side: "south" };
  }
}

export function isOfUnit(action: Action): action is UnitAction {
  return "direction" in action;
}

const LEVELS = [1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 75, 100, 125, 250, 375, 500];

const LEVELS_PER_TIER = 4;
const MAX_POINTS = 500; // §2.3

/** The tier and level of a unit, by points. */
export function rankOf(points: number): { readonly tier: number; readonly level: number } {
  const index = Math.max(
    0,
    LEVELS.findLastIndex((threshold) => threshold <= points),
  ); // §2.2
  return { tier: Math.floor(index / LEVELS_PER_TIER) + 1, level: (index % LEVELS_PER_TIER) + 1 };
}

export interface Range {
  readonly least: number;
  readonly most: number;
  /** The minimum points of each level, lowest first. */
  readonly levels: readonly number[];
}

/** The points range of a tier. */
export function rangeOf(tier: number): Range {
  const next = tier * LEVELS_PER_TIER;
  const levels = LEVELS.slice(next - LEVELS_PER_TIER, next);
  return { least: levels[0] ?? 1, most: (LEVELS[next] ?? MAX_POINTS + 1) - 1, levels };
}

export const STILL = 3;
/** The number of own turn ends in a forest until it gives wood. */
export const GROWN = 3;
export const STREAK = 10;
export const BASE_HP = 100;

export function tell(event: GameEvent, table: Table): string | null {
  const who = table.name("seat" in event ? event.seat : null);
  switch (event.type) {
    case "deploy":
      return `${who} deployed ${event.points} at ${spot(event.target)}`;
    case "convert":
      return `${who} turned ${event.wood} wood into ${event.reserves} ${event.reserves === 1 ? "reserve" : "reserves"}`;
    case "wall_built":
      return `${who} built a wall ${event.side} of ${spot([event.x, event.y])}`;
    case "wall_removed":
      return `${who} removed the wall ${event.side} of ${spot([event.x, event.y])}`;
    case "wall_hit":
      return `${who} hit a wall for ${event.damage}, ${event.hp ? `${event.hp} left` : "and it is gone"}`;
    case "unavailable":
      return event.action === "build_wall"
        ? "The edge is still cooling down: no wall was built"
        : "That wall is already gone";
    case "move":
      return `${who} moved ${event.points} from ${spot(event.source)} to ${spot(event.target)}`;
    case "merge":
      return `${who} merged at ${spot(event.target)}${event.points ? ` into ${event.points}` : ""}`;
    case "attack":
      return fight(event, who);
    case "base_hit":
      return `${who} hit the base for ${event.damage}: ${event.hp} left`;
    case "income":
      return event.wood ? `${who} brought ${event.wood} wood home` : null;
    case "turn_end":
      return event.streak ? `${who} held every forest for ${event.streak} of ${STREAK} turns` : null;
    case "turn":
      return null;
    case "end":
      return ENDS[event.reason];
  }
}

const ENDS = {
  base: "A base has fallen",
  cap: LENGTH_LIMIT,
  forests: "Every forest was held long enough",
  left: "One side left the field",
} as const;

function spot(place: readonly [number, number] | null): string {
  return place ? `(${place[0]}, ${place[1]})` : "the fog";
}

function fight(event: Extract<GameEvent, { type: "attack" }>, who: string): string {
  const luck = event.luck > 0 ? ` with luck +${event.luck}` : event.luck < 0 ? ` with bad luck ${event.luck}` : "";
  const left = event.attacker_left
    ? `the attacker is left with ${event.attacker_left}`
    : event.defender_left
      ? `the defender is left with ${event.defender_left}`
      : "nobody is left";
  return `${who} attacked ${spot(event.target)}${luck}: ${event.attacker} against ${event.defender}, ${left}`;
}
