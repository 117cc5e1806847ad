/** The moves of a step, and merges at their targets; a moving unit is drawn only by its move. */

import { type Place, type Step, same, sightOf } from "./position";

export interface Walk {
  readonly seat: number;
  readonly source: Place;
  readonly target: Place;
  /** The moving unit. */
  readonly points: number;
  /** The points of the unit to merge with at the target; null if there is none. */
  readonly met: number | null;
}

/** The moves of a step whose both ends were visible. */
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
