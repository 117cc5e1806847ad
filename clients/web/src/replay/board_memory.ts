/** The board's memory in a replay, where all steps are known in advance. */

import { useMemo, useState } from "preact/hooks";

import type { BoardModule } from "../boards/board";
import { safely } from "../ui/error_boundary";
import type { Scene } from "./file";

/** The memory before the scene *next*, and its scenes. */
interface Known {
  readonly scenes: readonly Scene[];
  readonly next: number;
  readonly memory: unknown;
}

/** Return the board's memory at a scene, and a function that changes it from this scene on. */
export function useBoardMemory(
  scenes: readonly Scene[],
  index: number,
  board: BoardModule,
  seat: number | null,
): readonly [unknown, (memory: unknown) => void] {
  const nothing = useMemo((): Known => ({ scenes, next: 0, memory: null }), [scenes]);
  const [changed, setChanged] = useState(nothing);
  const known = changed.scenes === scenes && changed.next <= index + 1 ? changed : nothing;
  const memory = useMemo(() => remembered(known, board, seat), [known, board, seat]);
  return [memory[index + 1 - known.next], (now) => setChanged({ scenes, next: index + 1, memory: now })];
}

/** Return the memory before the next scene and after each scene from there. */
export function remembered(
  known: Known,
  board: Pick<BoardModule, "remember">,
  seat: number | null,
): readonly unknown[] {
  const all = [known.memory];
  for (const { moment } of known.scenes.slice(known.next)) {
    const before = all.at(-1);
    all.push(safely(() => board.remember?.(moment, before, seat) ?? null, before));
  }
  return all;
}
