/** How games are presented, according to the server; mostly for games without a board in this page. */

import type { View } from "warroom-client";
import type { Sentence } from "./sentences";

/** The rules page of a game, the board in its package, its schemas as far as they have hints, and its sentences. */
export interface Presentation {
  readonly rules?: string;
  readonly module?: string;
  readonly view?: { readonly [key: string]: View };
  readonly private?: { readonly [key: string]: View };
  readonly actions?: { readonly [key: string]: View };
  readonly sentences?: readonly Sentence[];
}

let fetched: Promise<Readonly<Record<string, Presentation>>> | null = null;
const known = new Map<string, Presentation>();

/** Load them once; retry after a failure on the next call. */
export async function loadPresentation(game: string): Promise<Presentation> {
  fetched ??= fetch("/api/boards").then((answer) => {
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return answer.json() as Promise<Record<string, Presentation>>;
  });
  try {
    const sketch = (await fetched)[game] ?? {};
    known.set(game, sketch);
    return sketch;
  } catch (error) {
    fetched = null;
    throw error;
  }
}

/** Return what `loadPresentation` loaded before the board was shown. */
export function presentationOf(game: string): Presentation {
  return known.get(game) ?? {};
}
