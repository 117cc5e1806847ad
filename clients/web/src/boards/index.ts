/** Finds the board of a game: one of `boards/<game>/`, one that the game's own package ships, or the generic one. */

import type { BoardModule } from "./board";
import type { ForeignModule } from "./foreign";
import { loadSketch } from "./sketches";

const boards = import.meta.glob<BoardModule>("./*/index.tsx", { import: "default" });
const loaded = new Map<string, Promise<BoardModule>>();

/** Return the board of a game; it is fetched once, when it is first needed. */
export function loadBoard(game: string): Promise<BoardModule> {
  const known = loaded.get(game);
  if (known) return known;
  const found = find(game);
  loaded.set(game, found);
  found.catch(() => loaded.delete(game)); // the next look tries again
  return found;
}

async function find(game: string): Promise<BoardModule> {
  const own = boards[`./${game}/index.tsx`];
  if (own) return own();
  const sketch = await loadSketch(game);
  if (sketch.module) {
    const foreign = import(/* @vite-ignore */ sketch.module) as Promise<ForeignModule>;
    const { adopt } = await import("./foreign");
    return adopt(await foreign);
  }
  const generic = boards["./generic/index.tsx"];
  if (!generic) throw new Error("the generic board is missing from this build");
  return generic();
}
