/** The events of a match as text. */

import type { FoughtEvent, GameEvent, PublicView, Stores } from "warroom-client/games/thardferr";
import type { Table, Told } from "../board";
import { capital, spaced } from "../text_case";
import { GOODS, lossesOf } from "./kingdoms";
import { count, spoken } from "./numbers";

export function tell(event: GameEvent, table: Table): string | null {
  const told = said(event, table);
  return told === null ? null : capital(told);
}

function said(event: GameEvent, table: Table): string | null {
  const who = (seat: number, theirs: string, yours: string) =>
    `${table.name(seat)} ${table.seat === seat ? yours : theirs}`;
  /** Private events need no name, unless the viewer sees all realms. */
  const of = (seat: number) => (table.seat === seat ? "" : `${table.name(seat)}: `);
  switch (event.type) {
    case "pick":
      if (!event.race) return `${who(event.seat, "has", "have")} picked a race`;
      return `${table.seat === event.seat ? "your" : `${table.name(event.seat)}’s`} race: ${event.race}`;
    case "founding":
      return `the kingdoms are: ${event.races.map((race, seat) => `${table.name(seat)} ${race}`).join(", ")}`;
    case "turn":
      return table.seat === event.seat ? "it is your turn" : `it is ${table.name(event.seat)}’s turn`;
    case "turn_end":
    case "end":
      return null;
    case "arrival":
      return `${of(event.seat)}trained and ready: ${things(event.units)}`;
    case "learning":
      return `${of(event.seat)}${event.technology} is known, level ${event.level}`;
    case "production":
      return `${of(event.seat)}brought in: ${goods(event.made)}; upkeep: ${goods(event.paid)}`;
    case "desertion":
      return `${of(event.seat)}upkeep not paid, ${goods(event.missing)} missing${gone(event.units)}`;
    case "building":
      return `${who(event.seat, "builds", "build")} ${event.count} × ${spaced(event.building)}`;
    case "razing":
      return `${who(event.seat, "razes", "raze")} ${event.count} × ${spaced(event.building)}`;
    case "training":
      return `${who(event.seat, "trains", "train")} ${event.count} × ${spoken(event.unit)}`;
    case "assignment":
      return `${who(event.seat, "sends", "send")} peasants to work: ${things({ ...event.workers })}`;
    case "research":
      return `${who(event.seat, "researches", "research")} ${event.technology} for ${event.days} days`;
    case "trade":
      return trade(event.count, event.good, event.gold, who(event.seat, "", "").trim(), table.seat === event.seat);
    case "strategy":
      return `${who(event.seat, "defends", "defend")} ${event.strategy ? `with ${event.strategy}` : "without a strategy"}`;
    case "scouting":
      return `${who(event.seat, "looks", "look")} into the ledger of ${table.name(event.target)}`;
    case "attack":
      return `${who(event.seat, "attacks", "attack")} ${table.name(event.target)}: ${verdict(event)}`;
    case "battle":
      return `the battle: ${lossesOf(event.record, "attackers")} of the attackers and ${lossesOf(event.record, "defenders")} of the defenders fell`;
    case "ruin":
      return `${of(event.seat)}lost with the land: ${ruins(event.buildings)}`;
    case "fall":
      return `${who(event.seat, "falls", "fall")}, beaten by ${table.name(event.by)}`;
    case "resignation":
      return `${who(event.seat, "leaves", "leave")}; the kingdom stands and defends itself`;
  }
}

/** The important events of a step. */
export type News = Told<GameEvent>;

/** What the board remembers of past steps, because no view contains it. */
export interface Memory {
  /** Unread news, latest first. */
  readonly news: readonly News[];
  /** The details of the last battles. */
  readonly battles: readonly FoughtEvent[];
}

export const NOTHING: Memory = { news: [], battles: [] };

const NEWS = new Set<GameEvent["type"]>(["attack", "battle", "fall", "desertion", "ruin", "learning"]);
/** Limit of news for players who no longer end turns. */
const MOST_NEWS = 6;
/** More battles than the kingdoms of a duel remember. */
const MOST_BATTLES = 8;

/** Add the events of a step. A player keeps the news since the own turn ended, a spectator those of the last turn. */
export function remember({ events, serial }: News, known: Memory, seat: number | null): Memory {
  const isNext = events.some((event) => event.type === "turn_end" && (seat ?? event.seat) === event.seat);
  const news = events.filter((event) => NEWS.has(event.type));
  if (!isNext && !news.length) return known;
  const kept = isNext ? [] : known.news;
  return {
    news: news.length ? [{ serial, events: news }, ...kept].slice(0, MOST_NEWS) : kept,
    battles: [...known.battles, ...news.filter((event) => event.type === "battle")].slice(-MOST_BATTLES),
  };
}

/** Whether the match has ended, by the rules or otherwise. */
export function isOver(view: PublicView, table: Table): boolean {
  return view.ended !== null || table.isOver;
}

/** Who is to act, for all viewers. */
export function whoseTurn(view: PublicView, table: Table): string {
  if (isOver(view, table)) return "The match is over.";
  if (view.seat === null) return "Races are being picked.";
  return table.seat === view.seat ? "It is your turn." : `It is ${table.name(view.seat)}’s turn.`;
}

/** Why a step is a key moment. */
export function keyMoment(events: readonly GameEvent[], table: Table): string | null {
  const found =
    events.find((event) => event.type === "fall") ??
    events.find((event) => event.type === "attack") ??
    events.find((event) => event.type === "founding");
  return found ? tell(found, table) : null;
}

function verdict({ outcome, land }: { readonly outcome: string; readonly land: number }): string {
  if (outcome === "attacker") return `victory, and ${land} land`;
  return outcome === "defender" ? "beaten back" : "nobody wins";
}

function trade(bought: number, good: string, gold: number, who: string, isYou: boolean): string {
  const verb = bought > 0 ? (isYou ? "buy" : "buys") : isYou ? "sell" : "sells";
  return `${who} ${verb} ${count(Math.abs(bought))} ${good} for ${count(Math.abs(gold))} gold`;
}

function goods(stores: Stores): string {
  return things({ ...stores }, GOODS);
}

function things(counts: { readonly [name: string]: number }, names: readonly string[] = Object.keys(counts)): string {
  const some = names.filter((name) => counts[name]);
  return some.map((name) => `${count(counts[name] ?? 0)} ${spaced(spoken(name))}`).join(", ") || "nothing";
}

function ruins(buildings: { readonly [name: string]: number }): string {
  return Object.entries(buildings)
    .map(([name, number]) => `${count(number)} × ${spaced(name)}`)
    .join(", ");
}

function gone(units: { readonly [name: string]: number }): string {
  return Object.values(units).some(Boolean) ? `; gone: ${things(units)}` : "";
}
