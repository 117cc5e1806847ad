/** Finds the board of a game: one of `boards/<game>/`, one that the game's own package ships, or the generic one. */

import type { BoardModule } from "./board";
import type { PackagedBoard } from "./packaged_board";
import { loadPresentation } from "./presentation";

const boards = import.meta.glob<BoardModule>("./*/index.tsx", { import: "default" });
const loaded = new Map<string, Promise<BoardModule>>();

/** Return the board of a game; it is loaded once, on first use. */
export function loadBoard(game: string): Promise<BoardModule> {
  const known = loaded.get(game);
  if (known) return known;
  const found = find(game);
  loaded.set(game, found);
  found.catch(() => loaded.delete(game)); // the next call retries
  return found;
}

async function find(game: string): Promise<BoardModule> {
  const own = boards[`./${game}/index.tsx`];
  if (own) return own();
  const presentation = await loadPresentation(game);
  if (presentation.module) {
    const packaged = import(/* @vite-ignore */ presentation.module) as Promise<PackagedBoard>;
    const { toBoardModule } = await import("./packaged_board");
    return toBoardModule(await packaged);
  }
  const generic = boards["./generic/index.tsx"];
  if (!generic) throw new Error("the generic board is missing from this build");
  return generic();
}
