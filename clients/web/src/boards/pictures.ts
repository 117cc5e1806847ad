/** The small pictures of the games, for the lobby. */

import type { ComponentType } from "preact";

const pictures = import.meta.glob<{ readonly default: ComponentType }>("./*/picture.tsx", { eager: true });

/** Return the picture of a game; null if it brought none. */
export function pictureOf(game: string): ComponentType | null {
  return pictures[`./${game}/picture.tsx`]?.default ?? null;
}
