/** Finds the extra pages of games; no match needs them. */

import type { ExtraPage } from "./board";

const pages = import.meta.glob<readonly ExtraPage[]>("./*/pages.ts", { import: "default", eager: true });

const everywhere: ExtraPage[] = [];

/** Add a page to all games, before the page starts. */
export function addPage(page: ExtraPage): void {
  everywhere.push(page);
}

/** Return the extra pages of a game. */
export function pagesOf(game: string): readonly ExtraPage[] {
  return [...(pages[`./${game}/pages.ts`] ?? []), ...everywhere];
}
