/** The courses of battles, phase by phase: only their event tells them, so a tab keeps those that it was told. */

import type { Record as Battle, FoughtEvent } from "../../generated/games/thardferr";

const KEY = "warroom.thardferr.battles";
/** As many as a kingdom remembers, for two matches. */
const KEPT = 6;

/** Keep the course of a battle, over reloads as well. */
export function keepCourse(fought: FoughtEvent): void {
  if (courseOf(fought.record)) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...all(), fought].slice(-KEPT)));
  } catch {
    // A browser that keeps nothing shows how the battle came out.
  }
}

/** Return the course of a battle that a kingdom remembers, if this tab was told it. */
export function courseOf(record: Battle): FoughtEvent | null {
  const wanted = JSON.stringify(record);
  return all().find((fought) => JSON.stringify(fought.record) === wanted) ?? null;
}

function all(): readonly FoughtEvent[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as FoughtEvent[];
  } catch {
    return [];
  }
}
