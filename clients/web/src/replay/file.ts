/** What one viewer saw of a finished match: the file that the server makes of it, read step by step. */

import { decode } from "@msgpack/msgpack";
import type { Moment } from "../boards/board";
import { Mirror } from "../client/mirror";
import { EMPTY, momentAfter } from "../client/stage";
import type { About, Ended, ServerMessage } from "../generated/messages";
import type { Line } from "../room/match";
import { LONGEST_LOG } from "../room/table";
import { checksum } from "../wire/canonical";
import { decodeServer, readPart, readServer } from "../wire/codec";

const MAGIC = "WARVIEW\n";
const VERSION = 1;

export interface ViewReplay {
  readonly room: number;
  readonly about: About;
  readonly seat: number | null;
  readonly frames: readonly Uint8Array[];
  readonly ended: Ended;
}

/** One moment of the match, when it was, and in which turn. */
export interface Scene {
  readonly moment: Moment;
  readonly turn: number;
  readonly at: number;
}

export class ReplayError extends Error {}

/** Return what is in the file; throw `ReplayError` if it is none. */
export function readView(data: Uint8Array): ViewReplay {
  const magic = new TextDecoder().decode(data.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw new ReplayError("this is no view of a match");
  if (data[MAGIC.length] !== VERSION) throw new ReplayError("this view is of a newer kind than the page knows");
  const row: unknown = decode(data.subarray(MAGIC.length + 1));
  if (!Array.isArray(row) || row.length !== 5) throw new ReplayError("the view is damaged");
  const [room, about, seat, frames, ended] = row as [number, unknown, number | null, Uint8Array[], unknown];
  const end = readServer(ended);
  if (end?.type !== "ended") throw new ReplayError("the view has no end");
  return { room, about: readPart<About>("About", about), seat, frames, ended: end };
}

/** Return every moment of the match, the first being the opening. */
export function scenesOf(replay: ViewReplay): readonly Scene[] {
  const mirror = new Mirror();
  const showsAll = replay.seat === null && replay.about.room_options.watch === "all";
  mirror.receive(opening(replay.room), 0);
  mirror.seat = replay.seat;
  const scenes: Scene[] = [];
  let last = EMPTY;
  for (const frame of replay.frames) {
    const message = decodeServer(frame);
    if (message?.type !== "update" && message?.type !== "private") throw new ReplayError("a frame is no step");
    const received = mirror.receive(message, 0);
    if (received.resync) throw new ReplayError("a step does not follow from those before it");
    if (!received.step) continue;
    last = momentAfter(last, received.step, showsAll);
    scenes.push({ moment: last, turn: received.step.turn, at: mirror.clock.at });
  }
  return scenes;
}

function opening(room: number): ServerMessage {
  const nothing = checksum(null);
  const clock = { at: 0, turn: 0, deadline: null, banks: [] };
  const sums = { public_sum: nothing, private_sum: nothing };
  return { type: "snapshot", room, life: 1, p: 0, q: 0, public: null, private: null, clock, ...sums };
}

/** Return where in other scenes of the same match the moment of *scene* is: another viewer saw other steps of it. */
export function sameMoment(scenes: readonly Scene[], scene: Scene): number {
  return Math.max(
    0,
    scenes.findLastIndex((each) => each.at <= scene.at),
  );
}

/** Return the lines of the log, by the scenes that they are about. */
export function linesOf(scenes: readonly Scene[]): readonly Line[] {
  return scenes.map(({ moment: { events, serial }, turn }, id) => ({ id, kind: "step", events, serial, turn }));
}

/** Return the end of the log at a scene, as long as it is in a room. */
export function logUntil<Told extends { readonly line: Line }>(told: readonly Told[], scene: number): readonly Told[] {
  const end = told.findLastIndex(({ line }) => line.id <= scene) + 1;
  return told.slice(Math.max(0, end - LONGEST_LOG), end);
}
