/** Why something cannot be done, in words; sections are those of the rules page. */

import type { PublicView } from "../../generated/games/timberwall";
import { at, type Draft, type Edge, type Place, rankOf, type Sight, same } from "./field";

const ZONE = 2; // §5.2, §7.2
const WALL_COST = 10; // §7.2
const MOST_POINTS = 500; // §2.3

/** What a seat knows when it asks. */
export interface Asking {
  readonly view: PublicView;
  readonly sight: Sight;
  readonly seat: number;
}

/** Say why nothing can be done with a tile, given what is composed. */
export function whyNot(asking: Asking, place: Place, draft: Draft | null): string {
  switch (draft?.mode) {
    case "deploy":
      return whyNoDeployment(asking, place);
    case "wall":
      return "Walls stand on the edges between tiles: choose one of those that are lit.";
    case "remove":
      return "Choose a wall of your own: those that are lit can go.";
    case "unit":
      return whyNoStep(asking, place, draft);
    default:
      return whyNoChoice(asking, place);
  }
}

function whyNoDeployment({ view, sight, seat }: Asking, place: Place): string {
  const home = view.bases[seat];
  if (home && distance(home, place) > ZONE) return `Too far away: new units come in within ${ZONE} tiles of your base.`;
  if (view.bases.some((base) => same(base, place))) return "No unit ever stands on a base.";
  return sight.units.some((unit) => same(unit, place))
    ? "A unit stands there already: choose an empty tile."
    : "Nothing can be deployed there.";
}

function whyNoStep({ view, sight, seat }: Asking, place: Place, chosen: Place): string {
  const isNear = distance(chosen, place) === 1;
  const unit = sight.units.find((each) => same(each, place));
  if (unit && unit.seat === seat && isNear) {
    const mover = sight.units.find((each) => same(each, chosen));
    if (mover && rankOf(mover.points).tier !== rankOf(unit.points).tier)
      return "Units of different tiers do not merge.";
    if (unit.points >= MOST_POINTS) return `A unit of ${MOST_POINTS} points takes no more.`;
  }
  const base = view.bases.findIndex((each) => same(each, place));
  if (base === seat) return "No unit ever stands on a base.";
  if (isNear) return "The way is blocked: by walls, and diagonally also by walls and units beside it.";
  if (unit && unit.seat !== seat) return "That enemy is out of reach: a unit attacks what is next to it.";
  return base < 0
    ? "Too far away: a unit goes to a tile next to it."
    : "The base is out of reach: a unit attacks what is next to it.";
}

function whyNoChoice({ sight, seat }: Asking, place: Place): string {
  const unit = sight.units.find((each) => same(each, place));
  if (!unit) return "Choose one of your units first, or deploy a new one.";
  return unit.seat === seat ? "This unit can do nothing now." : "An enemy: choose one of your units first.";
}

/** Say why no wall can be built. */
export function whyNoWall(asking: Asking): string {
  const { sight, seat } = asking;
  const stores = sight.stores[seat];
  if (stores?.has_built) return "One wall a turn, and yours is built.";
  if (stores && stores.wood < WALL_COST)
    return `A wall costs ${WALL_COST} wood, and you have ${stores.wood}: units that stay in forests bring it.`;
  const edges = edgesForWalls(asking);
  if (!edges.length)
    return `Walls stand beside your units, and not within ${ZONE} tiles of a base: none is far enough.`;
  const walled = new Set([...sight.neutral, ...sight.walls].map(named));
  const open = new Set(edges.map(named).filter((edge) => !walled.has(edge)));
  const ready = sight.cooling.filter((edge) => open.has(named(edge))).map((edge) => edge.ready_round);
  if (!open.size) return "Every edge beside your units has its wall.";
  return ready.length
    ? `The edges beside your units are cooling: a wall can stand there again from round ${Math.min(...ready)} on.`
    : "No wall can be built now.";
}

/** Say why no unit can be deployed. */
export function whyNoUnits({ sight, seat }: Asking): string {
  return sight.stores[seat]?.reserves
    ? "Every tile around your base is taken."
    : "A unit costs its points in reserves, and you have none: turns bring them, and 20 wood become one.";
}

/** The edges beside the own units that are far enough from the bases. */
function edgesForWalls({ view, sight, seat }: Asking): Edge[] {
  const isFar = (place: Place) => view.bases.every((base) => distance(base, place) > ZONE);
  const isOnField = ({ x, y }: Place) => Math.min(x, y) >= 0 && Math.max(x, y) < view.options.size;
  const own = sight.units.filter((unit) => unit.seat === seat);
  return own.flatMap(({ x, y }) => {
    const edges: readonly Edge[] = [
      { x, y, side: "east" },
      { x, y, side: "south" },
      { x: x - 1, y, side: "east" },
      { x, y: y - 1, side: "south" },
    ];
    return edges.filter((edge) => [edge, beyond(edge)].every((tile) => isOnField(tile) && isFar(tile)));
  });
}

function beyond({ x, y, side }: Edge): Place {
  return side === "east" ? { x: x + 1, y } : { x, y: y + 1 };
}

function named(edge: Edge): string {
  return at(edge) + edge.side;
}

function distance(one: Place, other: Place): number {
  return Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
}
