/** Facts about a kingdom, for any viewer. */

import type { Record as Battle, Forecast, Kingdom, PublicView, Stores } from "warroom-client/games/thardferr";
import { LEAST_LAND } from "../../generated/thardferr_figures";

export type Good = keyof Stores;
export type Building = keyof Kingdom["buildings"];

export const GOODS: readonly Good[] = ["gold", "iron", "wood", "food"];

export function onSlots(kingdom: Kingdom): number {
  return Object.entries(kingdom.buildings).reduce((sum, [kind, each]) => sum + (kind === "castle" ? 0 : each), 0);
}

export function isStanding(view: PublicView, seat: number): boolean {
  return (view.kingdoms[seat]?.land ?? 0) >= LEAST_LAND;
}

/** The number of turns until a store is empty; null if it never is. */
export function turnsLeft(kingdom: Kingdom, forecast: Forecast, good: Good): number | null {
  const change = forecast.income[good] - forecast.upkeep[good];
  return change < 0 ? Math.floor(kingdom.stores[good] / -change) : null;
}

export function lossesOf(battle: Battle, side: "attackers" | "defenders"): number {
  return battle[side].reduce((sum, tally) => sum + tally.lost, 0);
}
