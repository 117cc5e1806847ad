/** The small game pictures in the lobby. */

import type { ComponentType } from "preact";

const pictures = import.meta.glob<{ readonly default: ComponentType }>("./*/picture.tsx", { eager: true });

/** Return the picture of a game; null if it has none. */
export function pictureOf(game: string): ComponentType | null {
  return pictures[`./${game}/picture.tsx`]?.default ?? null;
}
