/** Finds the board of a game: one of `boards/<game>/`, one that the game's own package ships, or the generic one. */

import type { ComponentType } from "preact";

import type { BoardModule } from "./board";

type Loader = () => Promise<{ readonly default: BoardModule }>;

const boards = import.meta.glob<{ readonly default: BoardModule }>("./*/index.tsx") as Record<string, Loader>;
const pictures = import.meta.glob<{ readonly default: ComponentType }>("./*/picture.tsx", { eager: true });
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

/** Return the small picture of a game for lists. */
export function pictureOf(game: string): ComponentType | null {
  return pictures[`./${game}/picture.tsx`]?.default ?? null;
}

async function find(game: string): Promise<BoardModule> {
  const load = boards[`./${game}/index.tsx`] ?? boards["./generic/index.tsx"];
  if (!load) throw new Error("the generic board is missing from this build");
  return (await load()).default;
}
