/** What this browser saw of its matches: the commitment on entry, the chain at the end. */

import { ownKeep } from "../client/identity";

export interface Noted {
  readonly commitment: string;
  readonly chain: string | null;
}

const KEY = "warroom.seals";
const KEPT = 50;

/** Save what a room showed; the first value counts. Old notes are dropped. */
export function noteSeal(code: string, shown: Noted): void {
  const { [code]: known, ...others } = all();
  const noted = { commitment: known?.commitment ?? shown.commitment, chain: known?.chain ?? shown.chain };
  const kept = Object.entries(others).slice(-(KEPT - 1));
  ownKeep.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [code, noted]])));
}

export function notedSeal(code: string): Noted | null {
  return all()[code] ?? null;
}

function all(): Record<string, Noted> {
  try {
    return JSON.parse(ownKeep.getItem(KEY) ?? "{}") as Record<string, Noted>;
  } catch {
    return {};
  }
}
