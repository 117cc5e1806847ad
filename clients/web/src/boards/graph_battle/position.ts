/** Derives coordinates, odds and reasons from a position of Graph Battle. */

import type { Action, Attack, EndTurn, GameEvent, Options, PublicView } from "warroom-client/games/graph_battle";
import type { Table } from "../board";
import { LENGTH_LIMIT } from "../text_case";

export const STEP = 100;
export const RADIUS = 34;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
}

/** The coordinates of each node; every second row of hexagons is shifted right by half a step. */
export function places(view: PublicView): Point[] {
  const isHex = view.options.board === "hex";
  return view.board.positions.map(([row, column]) => ({
    x: (column + 0.5 + (isHex && row % 2 ? 0.5 : 0)) * STEP,
    y: (row + 0.5) * (isHex ? STEP * 0.87 : STEP),
  }));
}

/** The view box around all nodes. */
export function frame(points: readonly Point[]): string {
  const margin = RADIUS + 12;
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top].map(Math.round).join(" ");
}

export function edges(view: PublicView): Edge[] {
  return view.board.neighbours.flatMap((near, from) => near.filter((to) => to > from).map((to) => ({ from, to })));
}

/** The probability that an attack succeeds: enough flips are won before too many are lost. */
export function odds(attacker: number, defender: number, options: Options): number {
  const wins = options.attack === "quick" ? defender : defender + 1;
  const losses = attacker - 1;
  const chance = options.attack === "dice" ? options.dice_percent / 100 : 0.5;
  let all = 0;
  let ways = 1; // the number of ways to lose k flips before the last required win
  for (let lost = 0; lost < losses; lost++) {
    all += ways * chance ** wins * (1 - chance) ** lost;
    ways = (ways * (wins + lost)) / (lost + 1);
  }
  return wins === 0 ? 1 : all;
}

export function percent(share: number): string {
  return share > 0 && share < 0.01 ? "<1 %" : share < 1 && share > 0.99 ? ">99 %" : `${Math.round(share * 100)} %`;
}

export function attacks(legal: readonly Action[]): Attack[] {
  return legal.filter((action): action is Attack => action.type === "attack");
}

/** The actions that end the turn and name a capital. */
export function capitals(legal: readonly Action[]): number[] {
  return legal
    .filter((action): action is EndTurn => action.type === "end_turn")
    .flatMap((action) => (typeof action.capital === "number" ? [action.capital] : []));
}

/** Explain why a node cannot be the source of an attack. */
export function whyNoSource(view: PublicView, node: number, seat: number): string {
  const here = view.nodes[node];
  if (!here) return "";
  if (here.color !== view.colors[seat]) return "Not yours: choose one of your own nodes first.";
  if (here.strength < 2) return "An attack needs strength 2 or more, because 1 stays behind.";
  return "No enemy is next to this node.";
}

/** Explain why a node cannot be attacked from another one. */
export function whyNoTarget(view: PublicView, source: number, target: number): string {
  if (view.nodes[target]?.color === view.nodes[source]?.color) return whyNoSource(view, target, ownerOf(view, source));
  return `Node ${target} is not connected to node ${source}.`;
}

function ownerOf(view: PublicView, node: number): number {
  const color = view.nodes[node]?.color;
  return color === undefined ? -1 : view.colors.indexOf(color);
}

/** The number of nodes and the strength of each seat. */
export function standing(view: PublicView): { readonly nodes: number; readonly strength: number }[] {
  return view.colors.map((color) => {
    const own = view.nodes.filter((node) => node.color === color);
    return { nodes: own.length, strength: own.reduce((sum, node) => sum + node.strength, 0) };
  });
}

/** The last possible round. */
export function lastRound(options: Options): number {
  return options.victory === "rounds" ? Math.min(options.max_rounds, options.victory_rounds) : options.max_rounds;
}

export function tell(event: GameEvent, table: Table): string | null {
  const name = (seat: number | null) => table.name(seat);
  switch (event.type) {
    case "attack":
      return `${name(event.seat)} attacked ${event.target} from ${event.source}: ${won(event.flips)}`;
    case "conquest":
      return `${name(event.seat)} took ${event.target} from ${event.former} and moved ${event.moved} there`;
    case "elimination":
      return event.by === null
        ? `${name(event.seat)} left the board`
        : `${name(event.by)} eliminated ${name(event.seat)}`;
    case "turn_end":
      return event.reason === "exhausted" ? `${name(event.seat)} had no attack left` : null;
    case "reinforcement":
      return `${name(event.seat)} got ${sum(event.gains)} strength at ${event.gains.map((gain) => gain.node).join(", ")}`;
    case "order":
      return `Round ${event.round} is played in the order ${event.order.map(name).join(", ")}`;
    case "turn":
      return null;
    case "end":
      return event.reason === "victory" ? "The battle is decided" : LENGTH_LIMIT;
  }
}

function won(flips: string): string {
  if (!flips) return "without a flip";
  const count = [...flips].filter((flip) => flip === "a").length;
  return `${count} of ${flips.length} ${flips.length === 1 ? "flip" : "flips"} won`;
}

function sum(gains: readonly { readonly strength: number }[]): number {
  return gains.reduce((all, gain) => all + gain.strength, 0);
}
