/** Reads the file of one viewer's replay step by step. */

import { type About, type Ended, Mirror, type ServerMessage } from "warroom-client";
import { checksum, decode, decodeServer, readPart, readServer } from "warroom-client/wire";
import type { Moment } from "../boards/board";
import { EMPTY, momentAfter } from "../client/step_player";

const MAGIC = "WARVIEW\n";
const VERSION = 1;

/** An action that the seat's player did not make. */
export interface ActedFor {
  /** The index of the first frame at or after it. */
  readonly frame: number;
  readonly seat: number;
  readonly by: "stand-in" | "clock";
}

export interface ViewReplay {
  readonly room: number;
  readonly about: About;
  readonly seat: number | null;
  readonly frames: readonly Uint8Array[];
  readonly ended: Ended;
  readonly actedFor: readonly ActedFor[];
  /** The room time of each frame. */
  readonly times: readonly number[];
}

/** One moment of the match, its time and turn, and the actions since the previous one that others made. */
export interface Scene {
  readonly moment: Moment;
  readonly turn: number;
  readonly at: number;
  readonly actedFor: readonly ActedFor[];
}

type Row = [number, unknown, number | null, Uint8Array[], unknown, [number, number, ActedFor["by"]][], number[]];

export class ReplayError extends Error {}

/** Return the content of the file; throw `ReplayError` if it is invalid. */
export function readView(data: Uint8Array): ViewReplay {
  const magic = new TextDecoder().decode(data.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw new ReplayError("this is not a replay");
  if (data[MAGIC.length] !== VERSION) throw new ReplayError("this replay needs a newer version of the page");
  const row: unknown = decode(data.subarray(MAGIC.length + 1));
  if (!Array.isArray(row) || row.length !== 7) throw new ReplayError("the replay is damaged");
  const [room, about, seat, frames, ended, acted, times] = row as Row;
  const end = readServer(ended);
  if (end?.type !== "ended") throw new ReplayError("the replay is incomplete");
  return {
    room,
    about: readPart<About>("About", about),
    seat,
    frames,
    ended: end,
    actedFor: acted.map(([frame, seat, by]) => ({ frame, seat, by })),
    times,
  };
}

/** Return every moment of the match, starting with the opening. */
export function scenesOf(replay: ViewReplay): readonly Scene[] {
  const mirror = new Mirror();
  const showsAll = replay.seat === null && replay.about.room_options.watch === "all";
  mirror.receive(opening(replay.room), 0);
  mirror.seat = replay.seat;
  const scenes: Scene[] = [];
  const acted = [...replay.actedFor];
  let last = EMPTY;
  for (const [index, frame] of replay.frames.entries()) {
    const message = decodeServer(frame);
    if (message?.type !== "update" && message?.type !== "private")
      throw new ReplayError("the replay has an invalid step");
    const received = mirror.receive(message, 0);
    if (received.resync) throw new ReplayError("the replay has a step out of order");
    if (!received.step) continue;
    last = momentAfter(last, received.step, showsAll);
    const later = acted.findIndex((each) => each.frame > index);
    const actedFor = acted.splice(0, later < 0 ? acted.length : later);
    scenes.push({ moment: last, turn: received.step.turn, at: replay.times[index] ?? 0, actedFor });
  }
  return scenes;
}

function opening(room: number): ServerMessage {
  const nothing = checksum(null);
  const clock = { at: 0, turn: 0, deadline: null, banks: [] };
  const sums = { public_sum: nothing, private_sum: nothing };
  return { type: "snapshot", room, life: 1, p: 0, q: 0, public: null, private: null, clock, ...sums };
}

/** Return the index of *scene*'s moment in other scenes of the same match: another viewer saw other steps. */
export function sameMoment(scenes: readonly Scene[], scene: Scene): number {
  return Math.max(
    0,
    scenes.findLastIndex((each) => each.at <= scene.at),
  );
}
