/** Actions that name places of drawings: which places can be chosen next, and what they complete. */

import type { View } from "warroom-client";
import { type Fields, same } from "./draft_fields";
import type { Plan } from "./drawing_plan";

/** A place: the number of its drawing, and its number there. */
export type Place = readonly [drawing: number, place: number];

/** The fields of actions that name places, in the order of choosing. */
export type PlaceFields = readonly { readonly field: string; readonly drawing: number }[];

export interface Placing {
  /** The places chosen so far. */
  readonly chosen: readonly Place[];
  /** Actions that begin with these places. */
  readonly fitting: readonly Fields[];
  /** The fitting actions that need no more places. */
  readonly complete: readonly Fields[];
}

export function placeFields(plans: readonly Plan[]): PlaceFields {
  const all = plans.flatMap(({ fields }, drawing) => fields.map((field) => ({ field, drawing })));
  return all.filter(({ field }, index) => all.findIndex((other) => other.field === field) === index);
}

/** Return the places that an action names, in order. */
export function placesOf(action: Fields, fields: PlaceFields): readonly Place[] {
  return fields.flatMap(({ field, drawing }): Place[] => {
    const place = action[field];
    return typeof place === "number" ? [[drawing, place]] : [];
  });
}

/** Apply the places of a draft to the legal actions; a choice that leads to none of them is dropped. */
export function placingOf(actions: readonly Fields[], fields: PlaceFields, drafted: View): Placing {
  const begun = isPlaces(drafted) ? drafted : [];
  const placed = actions.filter((action) => placesOf(action, fields).length > 0);
  const leads = placed.some((action) => begins(placesOf(action, fields), begun));
  const chosen = leads ? begun : [];
  const fitting = placed.filter((action) => begins(placesOf(action, fields), chosen));
  const complete = chosen.length ? fitting.filter((action) => placesOf(action, fields).length === chosen.length) : [];
  return { chosen, fitting, complete };
}

/** Return the places of a drawing that can be chosen next. */
export function targetsOf({ chosen, fitting }: Placing, fields: PlaceFields, drawing: number): ReadonlySet<number> {
  const next = fitting.map((action) => placesOf(action, fields)[chosen.length]);
  return new Set(next.flatMap((place) => (place?.[0] === drawing ? [place[1]] : [])));
}

/** Return the actions that choosing a place would leave. */
export function after({ chosen, fitting }: Placing, fields: PlaceFields, place: Place): readonly Fields[] {
  return fitting.filter((action) => begins(placesOf(action, fields), [...chosen, place]));
}

function begins(places: readonly Place[], begun: readonly Place[]): boolean {
  return begun.every((place, order) => same(places[order] ?? null, place));
}

function isPlaces(draft: View): draft is readonly Place[] {
  return Array.isArray(draft) && draft.every((place) => Array.isArray(place) && place.length === 2);
}
