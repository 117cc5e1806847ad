/** Sorts the fields of a view for display; patched views have them in varying order. */

import { isMap, type View } from "warroom-client";
import { alternativesOf, type Schema } from "../../ui/schema";

/** A part of a schema, and the whole schema for resolving references. */
export interface Shape {
  readonly part: Schema;
  readonly whole: Schema;
}

export function shapeOf(schema: Schema | undefined): Shape | null {
  return schema ? { part: schema, whole: schema } : null;
}

/** Return the keys of a map in the order of its type, if known; unknown keys follow alphabetically. */
export function keysOf(view: Schema, shape: Shape | null): readonly string[] {
  const named = Object.keys(propertiesFor(view, shape)).filter((key) => key in view);
  const others = Object.keys(view).filter((key) => !named.includes(key));
  return [...named, ...others.sort()];
}

/** Return the shape of one field or item, if known. */
export function shapeAt(view: View, shape: Shape | null, key: string): Shape | null {
  if (!shape) return null;
  const part = isMap(view) ? propertiesFor(view, shape)[key] : kindsOf(shape).find(({ items }) => isMap(items))?.items;
  return isMap(part) ? { part, whole: shape.whole } : null;
}

/** Return a view with all maps in that order. */
export function ordered(view: View, shape: Shape | null): View {
  if (Array.isArray(view)) return view.map((item, index) => ordered(item, shapeAt(view, shape, String(index))));
  if (!isMap(view)) return view;
  return Object.fromEntries(
    keysOf(view, shape).map((key) => [key, ordered(view[key] ?? null, shapeAt(view, shape, key))]),
  );
}

/** The fields of a map of this shape; for a union, those of the first alternative that has all keys of the map. */
function propertiesFor(view: Schema, shape: Shape | null): Schema {
  const kinds = kindsOf(shape).flatMap(({ properties }) => (isMap(properties) ? [properties] : []));
  return kinds.find((properties) => Object.keys(view).every((key) => key in properties)) ?? kinds[0] ?? {};
}

function kindsOf(shape: Shape | null): readonly Schema[] {
  return shape ? alternativesOf(shape.part, shape.whole) : [];
}
