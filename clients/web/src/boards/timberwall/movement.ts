/** Who walked in a step, and whom it met there: a unit on its way is drawn by its walk alone. */

import { type Place, type Step, same, sightOf } from "./position";

export interface Walk {
  readonly seat: number;
  readonly source: Place;
  readonly target: Place;
  /** What walks. */
  readonly points: number;
  /** The points that waited at the target to be merged with; null where none did. */
  readonly met: number | null;
}

/** The walks of a step of which both ends were seen. */
export function walksOf(moment: Step): readonly Walk[] {
  return moment.events.flatMap((event): Walk[] => {
    if ((event.type !== "move" && event.type !== "merge") || !event.source || !event.target) return [];
    const [source, target] = [place(event.source), place(event.target)];
    if (event.type === "move") return [{ seat: event.seat, source, target, points: event.points, met: null }];
    const units = moment.before ? sightOf({ ...moment.before, privates: [] }).units : [];
    const [mover, met] = [source, target].map((end) => units.find((unit) => same(unit, end)));
    if (!mover || !met) return [];
    return [{ seat: event.seat, source, target, points: mover.points - (event.rest ?? 0), met: met.points }];
  });
}

export function place([x, y]: readonly [number, number]): Place {
  return { x, y };
}
