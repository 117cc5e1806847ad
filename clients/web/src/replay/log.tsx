/** The log of a replay: the text of each scene, and who acted if it was not the player. */

import type { BoardModule, Table } from "../boards/board";
import { type LogEntry, told } from "../room/log";
import type { Line } from "../room/match";
import { LONGEST_LOG } from "../room/table";
import type { ActedFor, Scene } from "./file";

/** Return the lines of the log. Their ids are scene numbers. */
export function logOf(scenes: readonly Scene[], board: BoardModule, table: Table): readonly LogEntry[] {
  return scenes.flatMap(({ moment: { events, serial }, turn, actedFor }, id) => {
    const line: Line = { id, kind: "step", events, serial, turn };
    const words = told([line], board, table);
    const note = noteOf(actedFor, table);
    if (!note) return words;
    const [first, ...others] = words[0]?.texts ?? [];
    const noted = (
      <>
        {first} <span class="quiet tiny">{note}</span>
      </>
    );
    return [{ line, texts: [noted, ...others] }];
  });
}

/** Return the stand-ins that acted in a scene, and the seats the clock acted for; empty if all players acted
 * themselves. */
export function noteOf(actedFor: readonly ActedFor[], table: Table): string {
  const notes = ["stand-in", "clock"].flatMap((actor) => {
    const seats = new Set(actedFor.filter(({ by }) => by === actor).map(({ seat }) => seat));
    const names = [...seats].sort((one, other) => one - other).map((seat) => table.name(seat));
    return names.length > 0 ? `(${actor} acted for ${names.join(", ")})` : [];
  });
  return notes.join(" ");
}

/** Return the end of the log at a scene, limited as in a room. */
export function logUntil<Told extends { readonly line: Line }>(told: readonly Told[], scene: number): readonly Told[] {
  const end = told.findLastIndex(({ line }) => line.id <= scene) + 1;
  return told.slice(Math.max(0, end - LONGEST_LOG), end);
}
