/** Derives facts from a position of Tile Blitz; sections refer to the rules page. Tile ids start at 1. */

import type { Card, GameEvent, Options, PublicView, Tile } from "warroom-client/games/tile_blitz";
import type { Table } from "../board";
import { LENGTH_LIMIT } from "../text_case";

export const SIDE = 7;
const MIN_TROOPS = 2;
const NEUTRAL_DEFENCE = 1;
const MARCH_STAMINA = 1;

export type Color = NonNullable<Tile["color"]>;

/** Null if something is possible, or else the reason why not. */
export type Why = string | null;

export function tileAt(view: PublicView, id: number): Tile {
  return view.tiles[id - 1] ?? { color: null, troops: 0, tanks: 0 };
}

/** Row (x) and column (y) of a tile. */
export function placeOf(id: number): readonly [number, number] {
  return [Math.floor((id - 1) / SIDE), (id - 1) % SIDE];
}

export function areNeighbours(one: number, other: number): boolean {
  const [[x, y], [u, v]] = [placeOf(one), placeOf(other)];
  return Math.abs(x - u) + Math.abs(y - v) === 1;
}

export function neighbours(id: number): number[] {
  return Array.from({ length: SIDE * SIDE }, (_, index) => index + 1).filter((other) => areNeighbours(id, other));
}

export function power(tile: Tile): number {
  return tile.troops + 2 * tile.tanks; // §8.3
}

export function defence(tile: Tile): number {
  return tile.color === null ? NEUTRAL_DEFENCE : power(tile); // §8.3
}

/** The next players in order, as long as all stay in play (§2.5). */
export function order({ seat, upcoming }: PublicView, table: Table): string {
  const turns = upcoming.map((next, at) => `${table.name(next)}${next === (upcoming[at - 1] ?? seat) ? " again" : ""}`);
  return turns.length ? `Next: ${turns.join(", then ")}` : "This is the last turn";
}

/** What a legal attack leaves on the target. */
export function aftermath(source: Tile, target: Tile, options: Options): { troops: number; tanks: number } {
  const lost = options.losses === "document" ? power(source) - defence(target) : defence(target); // §8.4
  const tanks = Math.min(source.tanks, Math.floor(lost / 2)); // §8.5
  return { troops: Math.max(0, source.troops - (lost - 2 * tanks) - 1), tanks: source.tanks - tanks }; // §8.6
}

export function whyNoAttack(view: PublicView, color: Color, source: number, target: number): Why {
  const [from, to] = [tileAt(view, source), tileAt(view, target)];
  if (from.color !== color) return "Choose one of your own tiles first.";
  if (to.color === color) return "That tile is already yours.";
  if (!areNeighbours(source, target)) return "You can only attack an adjacent tile: up, down, left or right.";
  if (from.troops < MIN_TROOPS) return `An attack needs ${MIN_TROOPS} troops, and tile ${source} has ${from.troops}.`;
  if (power(from) <= defence(to)) return `Too weak: power ${power(from)} does not exceed defence ${defence(to)}.`;
  return null;
}

/** Explain why units cannot go from one own tile to another; one step is free, further is a march. */
export function whyNoMove(view: PublicView, seat: number, source: number, target: number): Why {
  const player = view.players[seat];
  const from = tileAt(view, source);
  if (from.color !== player?.color || tileAt(view, target).color !== player.color) {
    return "Units move between your own tiles.";
  }
  if (source === target) return "Choose another tile.";
  if (from.troops === 0) return "Tanks without troops are stranded.";
  if (from.troops + from.tanks < 2) return `One troop must stay, and tile ${source} has no more.`;
  if (areNeighbours(source, target)) return null;
  if (!view.options.march) return "Marches are off in this room. Choose an adjacent tile.";
  if (player.stamina < MARCH_STAMINA) return "A march costs 1 stamina, and you have none.";
  return isJoined(view, source, target) ? null : "No path of your tiles leads there.";
}

/** Whether tiles of one colour connect two tiles. */
function isJoined(view: PublicView, source: number, target: number): boolean {
  const color = tileAt(view, source).color;
  const reached = new Set([source]);
  for (const id of reached) {
    for (const next of neighbours(id)) if (tileAt(view, next).color === color) reached.add(next);
  }
  return reached.has(target);
}

/** The pairs in a hand: two cards of one value each, no card twice. */
export function pairs(hand: readonly Card[]): (readonly [Card, Card])[] {
  const byValue = Map.groupBy(hand, (card) => card.value);
  return [...byValue.values()].flatMap((cards) => {
    const found: (readonly [Card, Card])[] = [];
    for (let index = 0; index + 1 < cards.length; index += 2) {
      const [one, other] = [cards[index], cards[index + 1]];
      if (one && other) found.push([one, other]);
    }
    return found;
  });
}

const FACES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SUITS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" } as const;

export function face(card: Card): string {
  return `${FACES[card.value - 1] ?? "?"}${SUITS[card.suit]}`;
}

/** The number of tiles and the power of each seat. */
export function standing(view: PublicView): { readonly tiles: number; readonly power: number }[] {
  return view.players.map(({ color }) => {
    const own = view.tiles.filter((tile) => tile.color === color);
    return { tiles: own.length, power: own.reduce((sum, tile) => sum + power(tile), 0) };
  });
}

export function units(troops: number, tanks: number): string {
  const parts = [troops && count(troops, "troop"), tanks && count(tanks, "tank")].filter(Boolean);
  return parts.join(" and ") || "nobody";
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Card events reach their owner, and viewers who see all hands; only the latter need the name. */
function holder(event: GameEvent, table: Table): string {
  return table.name("seat" in event ? event.seat : table.seat);
}

export function tell(event: GameEvent, table: Table): string | null {
  switch (event.type) {
    case "turn":
    case "turn_end":
      return null;
    case "deck":
      return `A fresh deck, number ${event.decks}`;
    case "drawn":
      return `${holder(event, table)} drew ${event.cards.map(face).join(", ")}`;
    case "discarded":
      return `${holder(event, table)} gave ${event.cards.map(face).join(" and ")} for a tank`;
    case "infantry":
      return `${table.name(event.seat)} put ${count(event.count, "troop")} on ${event.tile}`;
    case "tank":
      return `${table.name(event.seat)} put a tank on ${event.tile}`;
    case "move":
      return (
        `${table.name(event.seat)} ${event.is_march ? "marched" : "moved"} ` +
        `${units(event.troops, event.tanks)} from ${event.path[0]} to ${event.path.at(-1)}`
      );
    case "attack":
      return (
        `${table.name(event.seat)} attacked ${event.target} from ${event.source} ` +
        `(${event.power} against ${event.defence}), losing ${units(event.troops_lost, event.tanks_lost)}`
      );
    case "capture":
      return event.former === null ? null : `${event.color} took ${event.target} from ${event.former}`;
    case "elimination":
      return event.by === null
        ? `${table.name(event.seat)} resigned`
        : `${table.name(event.by)} eliminated ${table.name(event.seat)}`;
    case "end":
      return event.reason === "victory" ? "One colour is left" : LENGTH_LIMIT;
  }
}
