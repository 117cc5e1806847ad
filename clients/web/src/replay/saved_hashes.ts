/** What this browser saw of its matches: the commitment on entry, the chain at the end. */

import { browserStore } from "../client/identity";

export interface SavedHashes {
  readonly commitment: string;
  readonly chain: string | null;
}

const KEY = "warroom.seals";
const KEPT = 50;

/** Save what a room showed; the first value counts. Old notes are dropped. */
export function saveHashes(code: string, shown: SavedHashes): void {
  const { [code]: known, ...others } = all();
  const noted = { commitment: known?.commitment ?? shown.commitment, chain: known?.chain ?? shown.chain };
  const kept = Object.entries(others).slice(-(KEPT - 1));
  browserStore.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [code, noted]])));
}

export function savedHashes(code: string): SavedHashes | null {
  return all()[code] ?? null;
}

function all(): Record<string, SavedHashes> {
  try {
    return JSON.parse(browserStore.getItem(KEY) ?? "{}") as Record<string, SavedHashes>;
  } catch {
    return {};
  }
}
