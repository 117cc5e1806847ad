/** What a kingdom can afford, house and employ, and what limits it; the numbers come from the tables of the rules. */

import type { Forecast, Kingdom, PublicView, Stores, Workers } from "warroom-client/games/thardferr";
import {
  BEST_WORKERS,
  BUILDINGS,
  MACHINERY_WORKERS,
  TECHNOLOGIES,
  type Technology,
  UNITS,
  type Unit,
} from "../../generated/thardferr_figures";
import { type Building, GOODS, type Good, onSlots } from "./kingdoms";
import { count } from "./numbers";

export type Job = keyof Workers;

/** The possible number of something, and what prevents one more. */
export interface Limit {
  readonly most: number;
  readonly why: string;
}

export const JOBS: readonly Job[] = ["mine", "lumber", "agriculture", "blacksmithing"];
export const WORKPLACES: { readonly [job in Job]: Building } = {
  mine: "mine",
  lumber: "mill",
  agriculture: "farm",
  blacksmithing: "forge",
};
const MAGE = "Mage";

type Price = { readonly [good in Good]?: number };

export function affordable(stores: Stores, price: Price): number {
  const counts = GOODS.filter((good) => price[good]).map((good) => Math.floor(stores[good] / (price[good] ?? 1)));
  return Math.max(0, Math.min(...counts));
}

/** What is missing for one more, as `needs 450 more gold, 20 more iron`; empty if nothing is. */
export function missing(stores: Stores, price: Price): string {
  const short = GOODS.filter((good) => stores[good] < (price[good] ?? 0));
  if (!short.length) return "";
  return `needs ${short.map((good) => `${count((price[good] ?? 0) - stores[good])} more ${good}`).join(", ")}`;
}

export function priceOf({ gold, iron, wood }: { gold: number; iron: number; wood: number }): Price {
  return { gold, iron, wood };
}

export function inWords(price: Price): string {
  return GOODS.filter((good) => price[good])
    .map((good) => `${count(price[good] ?? 0)} ${good}`)
    .join(" · ");
}

export function buildable(kingdom: Kingdom, forecast: Forecast, kind: Building): Limit {
  const building = BUILDINGS[kind];
  if (!building) return { most: 0, why: "unknown building" };
  const isCastle = kind === "castle";
  const room = isCastle ? forecast.castle_cap - kingdom.buildings.castle : forecast.slots - onSlots(kingdom);
  if (room <= 0) return { most: 0, why: isCastle ? "your land allows no more castles" : "no free land" };
  const most = Math.min(room, affordable(kingdom.stores, priceOf(building)));
  return { most, why: missing(kingdom.stores, priceOf(building)) };
}

export function unitOf(kingdom: Kingdom, name: string): Unit | undefined {
  return UNITS[kingdom.race].find((unit) => unit.name === name);
}

/** The room for more units of a kind. */
export function room(kingdom: Kingdom, forecast: Forecast, unit: string): number {
  const isMage = unit === MAGE;
  const there = kingdom.army
    .filter((troop) => (troop.unit === MAGE) === isMage)
    .reduce((sum, troop) => sum + troop.count + troop.training, 0);
  return Math.max(0, (isMage ? forecast.mage_room : forecast.soldier_room) - there);
}

export function trainable(kingdom: Kingdom, forecast: Forecast, name: string): Limit {
  const unit = unitOf(kingdom, name);
  const troop = kingdom.army.find((each) => each.unit === name);
  if (!unit || !troop) return { most: 0, why: "your race has none" };
  if (!kingdom.can_train) return { most: 0, why: "you cannot train: the upkeep was not paid" };
  const capacity = (forecast.capacity[name] ?? 0) - troop.training;
  if (capacity <= 0) {
    const trainer = BUILDINGS[unit.trainer]?.name ?? "";
    return { most: 0, why: troop.training ? "limit per turn reached" : `needs ${unit.centers} × ${trainer}` };
  }
  const beds = room(kingdom, forecast, name);
  if (!beds) return { most: 0, why: `no room: build a ${BUILDINGS[name === MAGE ? "school" : "guard_house"]?.name}` };
  const most = Math.min(capacity, beds, affordable(kingdom.stores, priceOf(unit)));
  return { most, why: missing(kingdom.stores, priceOf(unit)) };
}

export function levelOf(kingdom: Kingdom, technology: string): number {
  return kingdom.technologies.find((known) => known.technology === technology)?.level ?? 0;
}

/** Why a technology cannot be started now; empty if it can. */
export function whyNoResearch(kingdom: Kingdom, technology: Technology): string {
  if (levelOf(kingdom, technology.name) >= technology.max_level) return "known";
  if (technology.after && !levelOf(kingdom, technology.after)) return `after ${technology.after}`;
  if (kingdom.project) return `${kingdom.project.technology} is being researched`;
  return missing(kingdom.stores, { gold: technology.gold });
}

/** The technologies of a race, tree by tree; the last row has those outside of trees. */
export function trees(race: Kingdom["race"]): readonly (readonly Technology[])[] {
  const own = TECHNOLOGIES.filter((each) => each.race === null || each.race === race);
  const next = (name: string) => own.find((each) => each.after === name);
  const rows = own.filter((each) => !each.after && next(each.name)).map((root) => chain(root, next));
  return [...rows, own.filter((each) => !each.after && !next(each.name))];
}

function chain(root: Technology, next: (name: string) => Technology | undefined): Technology[] {
  const row = [root];
  for (let each = next(root.name); each; each = next(each.name)) row.push(each);
  return row;
}

export function bestWorkers(kingdom: Kingdom): Workers {
  const best = (job: Job): number => {
    const kind = WORKPLACES[job];
    const each = kind === "mine" && levelOf(kingdom, "Machinery") ? MACHINERY_WORKERS : (BEST_WORKERS[kind] ?? 0);
    return kingdom.buildings[kind] * each;
  };
  return {
    mine: best("mine"),
    lumber: best("lumber"),
    agriculture: best("agriculture"),
    blacksmithing: best("blacksmithing"),
  };
}

/** Fill one job with its best number of workers, and spread the others evenly over productive jobs. */
export function spread(best: Workers, peasants: number, first: Job | null): Workers {
  const given = { mine: 0, lumber: 0, agriculture: 0, blacksmithing: 0 };
  let left = peasants;
  if (first) {
    given[first] = Math.min(best[first], left);
    left -= given[first];
  }
  for (;;) {
    const open = JOBS.filter((job) => job !== "blacksmithing" && given[job] < best[job]);
    if (!open.length || !left) return given;
    const share = Math.max(1, Math.floor(left / open.length));
    for (const job of open) {
      const hands = Math.min(share, best[job] - given[job], left);
      given[job] += hands;
      left -= hands;
    }
  }
}

export function total(workers: Workers): number {
  return JOBS.reduce((sum, job) => sum + workers[job], 0);
}

/** Why nobody may be attacked now; empty if attacks are allowed. */
export function whyPeace(view: PublicView): string {
  return view.round <= view.options.peace_rounds ? `peace until round ${view.options.peace_rounds + 1}` : "";
}
