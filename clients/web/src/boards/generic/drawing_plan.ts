/** Reads the hints in a view's schema: where its cells or nodes are, and how actions name them. */

import { isMap, type View } from "warroom-client";
import { resolve, type Schema } from "../../ui/schema";

type Path = readonly (string | number)[];

/** One place of the drawing. */
export interface Spot {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** The seat that owns it; null: nobody. */
  readonly seat: number | null;
  readonly colour: string | null;
  readonly label: string;
}

export interface Plan {
  readonly kind: "grid" | "graph";
  readonly spots: readonly Spot[];
  readonly edges: readonly (readonly [number, number])[];
  readonly width: number;
  readonly height: number;
  /** The action fields that name places, in the order of choosing. */
  readonly fields: readonly string[];
  /** The parts of the view that the drawing shows. */
  readonly drawn: readonly Path[];
}

/** Return how to draw a view; null if the schema has no hint or the view does not match it. */
export function planOf(schema: Schema | undefined, view: View): Plan | null {
  const found = schema && findHint(schema, schema, []);
  if (!found) return null;
  const { kind, hint, path } = found;
  const items = at(view, path);
  if (!Array.isArray(items) || items.length === 0) return null;
  const places =
    kind === "grid" ? gridPlaces(items.length, columnsOf(hint, view)) : graphPlaces(hint, view, items.length);
  const spots = items.map((item, index) => spot(item, index, places[index] ?? [0, index], hint));
  return {
    kind,
    spots,
    edges: kind === "graph" ? edgesOf(hint, view) : [],
    width: Math.max(...spots.map((each) => each.x)) + 1,
    height: Math.max(...spots.map((each) => each.y)) + 1,
    fields: strings(hint.fields) ?? [kind === "grid" ? "cell" : "node"],
    drawn: [path, pathOf(hint.edges), pathOf(hint.positions)].filter((each) => each.length > 0),
  };
}

/** Return a view without the parts that are drawn. */
export function without(view: View, paths: readonly Path[]): View {
  return paths.reduce<View>((left, path) => remove(left, path), view);
}

interface Found {
  readonly kind: "grid" | "graph";
  readonly hint: Schema;
  readonly path: readonly string[];
}

function findHint(schema: Schema, root: Schema, path: readonly string[]): Found | null {
  const object = resolve(schema, root);
  for (const [name, property] of Object.entries(isMap(object.properties) ? object.properties : {})) {
    if (!isMap(property)) continue;
    const here = [...path, name];
    for (const kind of ["grid", "graph"] as const) {
      const hint = property[`x-${kind}`];
      if (isMap(hint)) return { kind, hint, path: here };
    }
    const inner = "$ref" in property && path.length < 3 ? findHint(property, root, here) : null;
    if (inner) return inner;
  }
  return null;
}

function spot(item: View, index: number, [y, x]: readonly [number, number], hint: Schema): Spot {
  const seat = isMap(item) ? item[text(hint.seat) ?? "seat"] : item;
  const colour = isMap(item) ? item[text(hint.color) ?? "color"] : undefined;
  const label = isMap(item) ? item[text(hint.label) ?? "label"] : undefined;
  return {
    index,
    x,
    y,
    seat: typeof seat === "number" ? seat : null,
    colour: typeof colour === "string" ? colour : null,
    label: label === undefined || label === null ? (typeof item === "string" ? item : "") : String(label),
  };
}

function columnsOf(hint: Schema, view: View): number {
  const columns = typeof hint.columns === "number" ? hint.columns : at(view, pathOf(hint.columns));
  return typeof columns === "number" && columns > 0 ? columns : 1;
}

function gridPlaces(count: number, columns: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => [Math.floor(index / columns), index % columns]);
}

/** The positions of the nodes as row and column; on a circle if the view has none. */
function graphPlaces(hint: Schema, view: View, count: number): readonly (readonly [number, number])[] {
  const positions = at(view, pathOf(hint.positions));
  if (Array.isArray(positions)) return positions as (readonly [number, number])[];
  const radius = Math.max(1, count / 5);
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count;
    return [radius * (1 - Math.cos(angle)), radius * (1 + Math.sin(angle))];
  });
}

function edgesOf(hint: Schema, view: View): readonly (readonly [number, number])[] {
  const neighbours = at(view, pathOf(hint.edges));
  if (!Array.isArray(neighbours)) return [];
  return neighbours.flatMap((others: View, index) =>
    Array.isArray(others)
      ? others
          .filter((other) => typeof other === "number" && other > index)
          .map((other): [number, number] => [index, Number(other)])
      : [],
  );
}

function at(view: View, path: Path): View {
  return path.reduce<View>((node, step) => {
    if (Array.isArray(node)) return node[Number(step)] ?? null;
    return isMap(node) ? (node[step] ?? null) : null;
  }, view);
}

function remove(view: View, [step, ...rest]: Path): View {
  if (!isMap(view) || step === undefined || !(step in view)) return view;
  const { [step]: inner, ...others } = view;
  if (rest.length === 0) return others;
  return { ...others, [step]: remove(inner ?? null, rest) };
}

function pathOf(view: View | undefined): Path {
  return Array.isArray(view) ? view : [];
}

function strings(view: View | undefined): readonly string[] | null {
  return Array.isArray(view) ? view.map(String) : null;
}

function text(view: View | undefined): string | null {
  return typeof view === "string" ? view : null;
}
