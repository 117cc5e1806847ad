/** Derives facts from a position of Strata; sections refer to the rules page. A vertex is layer, x and y. */

import type { Action, GameEvent, PublicView, Stack } from "warroom-client/games/strata";
import { counted } from "../../ui/numbers";
import type { Table } from "../board";
import { LENGTH_LIMIT } from "../text_case";

export type Vertex = readonly [layer: number, x: number, y: number];

/** The five layers: width, offset in the view, gravity, and the force required to occupy a vertex. */
export const LAYERS = [
  { size: 3, start: 0, gravity: 1, required: 1 },
  { size: 5, start: 9, gravity: 2, required: 4 },
  { size: 7, start: 34, gravity: 3, required: 9 },
  { size: 5, start: 83, gravity: 2, required: 4 },
  { size: 3, start: 108, gravity: 1, required: 1 },
] as const;
const CAP = 10;

type Layer = (typeof LAYERS)[number];

export function layerOf([layer]: Vertex): Layer {
  return LAYERS[layer] ?? LAYERS[0];
}

export function indexOf(vertex: Vertex): number {
  const { start, size } = layerOf(vertex);
  return start + vertex[1] * size + vertex[2];
}

export function stackAt(view: PublicView, vertex: Vertex): Stack | null {
  return view.vertices[indexOf(vertex)] ?? null;
}

export function same(one: Vertex | null, other: Vertex | null): boolean {
  return one !== null && other !== null && one.every((part, index) => part === other[index]);
}

/** The vertices of a layer, row by row. */
export function verticesOf(layer: number): Vertex[] {
  const size = LAYERS[layer]?.size ?? 0;
  return Array.from({ length: size * size }, (_, index): Vertex => [layer, Math.floor(index / size), index % size]);
}

/** The raw force of a stack on its layer. */
export function force(stack: Stack, vertex: Vertex): number {
  return Math.min(CAP, (stack.pieces * stack.energy) / layerOf(vertex).gravity); // §2.1
}

/** Whether a stack occupies its vertex; only then it exerts its force. */
export function occupies(stack: Stack, vertex: Vertex): boolean {
  return stack.energy > 0 && force(stack, vertex) >= layerOf(vertex).required; // §2.3
}

export function isHome(seat: number, [layer, x, y]: Vertex): boolean {
  return layer === (seat === 0 ? 0 : 4) && ((x === 0 && y === 0) || (x === 2 && y === 2)); // §1.4
}

/** The actions that start at a vertex. */
export function from(legal: readonly Action[], vertex: Vertex): Action[] {
  return legal.filter((action) => {
    if ("vertex" in action) return same(action.vertex, vertex);
    return "source" in action && same(action.source, vertex);
  });
}

export function named(vertex: Vertex): string {
  return `(${vertex[0]}; ${vertex[1]}, ${vertex[2]})`;
}

/** The owner of the stack at a vertex, and its force there. */
export function described(stack: Stack, vertex: Vertex, table: Table): string {
  const [pieces, here] = [counted(stack.pieces, "piece"), rounded(force(stack, vertex))];
  return `${table.name(stack.seat)}, ${pieces}, energy ${stack.energy}, force ${here}`;
}

/** A force with at most two decimals. */
function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Explain why no action starts at a vertex, or why none leads to it from another. */
export function whyNot(view: PublicView, seat: number, vertex: Vertex, chosen: Vertex | null): string {
  const stack = stackAt(view, vertex);
  if (chosen !== null && stack === null) {
    if (view.moved) return "A stack already moved this turn.";
    const { required } = layerOf(vertex);
    return `No move leads from ${named(chosen)} to ${named(vertex)}: the target must be adjacent, and the stack needs force ${required}.`;
  }
  if (stack === null) return isHome(seat, vertex) ? "Your pool is empty." : "Place pieces on your home corners.";
  if (stack.seat !== seat)
    return chosen ? "That stack is out of reach, or your stack does not hold its vertex." : "Not yours.";
  return "This stack cannot act now: its energy is spent, or a stack already moved this turn.";
}

export function tell(event: GameEvent, table: Table): string | null {
  switch (event.type) {
    case "place":
      return `${table.name(event.seat)} placed a piece on ${named(event.vertex)}, now ${event.pieces}`;
    case "infuse":
      return `${table.name(event.seat)} infused ${named(event.vertex)}: energy ${event.energy}, force ${event.force}`;
    case "move":
      return `${table.name(event.seat)} moved from ${named(event.source)} to ${named(event.target)}`;
    case "attack":
      return (
        `${table.name(event.seat)} attacked ${named(event.target)}: force ${event.attacker.force} against ` +
        `${event.defender.force}, and ${event.winner === table.seat ? "you won" : `${table.name(event.winner)} won`}`
      );
    case "elimination":
      return event.by === null ? `${table.name(event.seat)} resigned` : `${table.name(event.seat)} lost the last piece`;
    case "turn_end":
      return event.gain ? `${table.name(event.seat)} gained ${event.gain} dominion` : null;
    case "turn":
      return null;
    case "end":
      return event.reason === "victory" ? "The board is decided" : LENGTH_LIMIT;
  }
}
