/** Finds the pages that games have beside their matches; no match needs them. */

import type { ExtraPage } from "./board";

const pages = import.meta.glob<readonly ExtraPage[]>("./*/pages.ts", { import: "default", eager: true });

/** Return the pages that a game has beside its matches. */
export function pagesOf(game: string): readonly ExtraPage[] {
  return pages[`./${game}/pages.ts`] ?? [];
}
