/** What a board remembers of a replay, all of which is known before it begins. */

import { useMemo, useState } from "preact/hooks";

import type { BoardModule } from "../boards/board";
import { safely } from "../ui/unbroken";
import type { Scene } from "./file";

/** What is remembered before the scene *next*, and the scenes that it is of. */
interface Known {
  readonly scenes: readonly Scene[];
  readonly next: number;
  readonly heard: unknown;
}

/** Return what the board remembers at a scene, and what changes that for all scenes from this one on. */
export function useHeard(
  scenes: readonly Scene[],
  index: number,
  board: BoardModule,
  seat: number | null,
): readonly [unknown, (heard: unknown) => void] {
  const nothing = useMemo((): Known => ({ scenes, next: 0, heard: null }), [scenes]);
  const [changed, setChanged] = useState(nothing);
  const known = changed.scenes === scenes && changed.next <= index + 1 ? changed : nothing;
  const heard = useMemo(() => remembered(known, board, seat), [known, board, seat]);
  return [heard[index + 1 - known.next], (now) => setChanged({ scenes, next: index + 1, heard: now })];
}

/** Return what is remembered before the next scene and after each from it on. */
export function remembered(known: Known, board: Pick<BoardModule, "hear">, seat: number | null): readonly unknown[] {
  const all = [known.heard];
  for (const { moment } of known.scenes.slice(known.next)) {
    const before = all.at(-1);
    all.push(safely(() => board.hear?.(moment, before, seat) ?? null, before));
  }
  return all;
}
