/** What the server knows about showing games, most of it for those that this page has no board for. */

import type { View } from "../generated/messages";
import type { Sentence } from "./sentences";

/** By game: its rules page, the board that its package ships, the schema of its public view, and how its events are told. */
export interface Presentation {
  readonly rules?: string;
  readonly module?: string;
  readonly view?: { readonly [key: string]: View };
  readonly sentences?: readonly Sentence[];
}

let fetched: Promise<Readonly<Record<string, Presentation>>> | null = null;
const known = new Map<string, Presentation>();

/** Fetch them once; a failure is tried again next time. */
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

/** What was fetched before; the board of a game is shown only after that. */
export function presentationOf(game: string): Presentation {
  return known.get(game) ?? {};
}
