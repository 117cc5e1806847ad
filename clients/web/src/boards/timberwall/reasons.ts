/** Explains why something is impossible; sections refer to the rules page. */

import type { PublicView } from "warroom-client/games/timberwall";
import { at, type Draft, type Edge, type Place, rankOf, type Sight, same } from "./position";

const ZONE = 2; // §5.2, §7.2
const WALL_COST = 10; // §7.2
const MOST_POINTS = 500; // §2.3

/** What the seat knows. */
export interface Asking {
  readonly view: PublicView;
  readonly sight: Sight;
  readonly seat: number;
}

/** Explain why nothing can be done with a tile, given the draft. */
export function whyNot(asking: Asking, place: Place, draft: Draft | null): string {
  switch (draft?.mode) {
    case "deploy":
      return whyNoDeployment(asking, place);
    case "wall":
      return "Walls stand on the edges between tiles. Choose a highlighted edge.";
    case "remove":
      return "Choose one of your own walls. Highlighted walls can be removed.";
    case "unit":
      return whyNoStep(asking, place, draft);
    default:
      return whyNoChoice(asking, place);
  }
}

function whyNoDeployment({ view, sight, seat }: Asking, place: Place): string {
  const home = view.bases[seat];
  if (home && distance(home, place) > ZONE) return `Too far away: you can deploy within ${ZONE} tiles of your base.`;
  if (view.bases.some((base) => same(base, place))) return "Units cannot stand on a base.";
  return sight.units.some((unit) => same(unit, place))
    ? "The tile is occupied. Choose an empty tile."
    : "Nothing can be deployed there.";
}

function whyNoStep({ view, sight, seat }: Asking, place: Place, chosen: Place): string {
  const isNear = distance(chosen, place) === 1;
  const unit = sight.units.find((each) => same(each, place));
  if (unit && unit.seat === seat && isNear) {
    const mover = sight.units.find((each) => same(each, chosen));
    if (mover && rankOf(mover.points).tier !== rankOf(unit.points).tier)
      return "Units of different tiers do not merge.";
    if (unit.points >= MOST_POINTS) return `A unit of ${MOST_POINTS} points cannot grow further.`;
  }
  const base = view.bases.findIndex((each) => same(each, place));
  if (base === seat) return "Units cannot stand on a base.";
  if (isNear) return "The way is blocked by a wall, or diagonally by walls and units beside it.";
  if (unit && unit.seat !== seat) return "That enemy is out of reach. Units attack adjacent tiles.";
  return base < 0
    ? "Too far away. Units move to adjacent tiles."
    : "The base is out of reach. Units attack adjacent tiles.";
}

function whyNoChoice({ sight, seat }: Asking, place: Place): string {
  const unit = sight.units.find((each) => same(each, place));
  if (!unit) return "Choose one of your units first, or deploy a new one.";
  return unit.seat === seat ? "This unit cannot act now." : "That is an enemy. Choose one of your units first.";
}

/** Explain why no wall can be built. */
export function whyNoWall(asking: Asking): string {
  const { sight, seat } = asking;
  const stores = sight.stores[seat];
  if (stores?.has_built) return "You already built a wall this turn.";
  if (stores && stores.wood < WALL_COST)
    return `A wall costs ${WALL_COST} wood, and you have ${stores.wood}: units in forests gather it.`;
  const edges = edgesForWalls(asking);
  if (!edges.length)
    return `Walls stand beside your units, and not within ${ZONE} tiles of a base: none is far enough.`;
  const walled = new Set([...sight.neutral, ...sight.walls].map(named));
  const open = new Set(edges.map(named).filter((edge) => !walled.has(edge)));
  const ready = sight.cooling.filter((edge) => open.has(named(edge))).map((edge) => edge.ready_round);
  if (!open.size) return "Every edge beside your units already has a wall.";
  return ready.length
    ? `The edges beside your units are cooling down. You can build there again from round ${Math.min(...ready)}.`
    : "No wall can be built now.";
}

/** Explain why no unit can be deployed. */
export function whyNoUnits({ sight, seat }: Asking): string {
  return sight.stores[seat]?.reserves
    ? "Every tile around your base is taken."
    : "A unit costs its points in reserves, and you have none: each turn brings some, and 20 wood make one.";
}

/** The edges next to own units that are far enough from the bases. */
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
