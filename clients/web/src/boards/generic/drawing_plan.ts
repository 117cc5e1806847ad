/** Plans the drawings of a view by its hints: where cells, columns or nodes are, and how actions name them. */

import { isMap, type View } from "warroom-client";
import type { Schema } from "../../ui/schema";
import { shapeOf } from "./field_order";
import { at, type Hinted, hintsIn, type Path } from "./hints";

const KEYWORDS = { "x-grid": "grid", "x-columns": "columns", "x-graph": "graph" } as const;

type Kind = (typeof KEYWORDS)[keyof typeof KEYWORDS];

/** One cell of the drawing. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  /** The seat that owns it; null: nobody. */
  readonly seat: number | null;
  readonly colour: string | null;
  readonly label: string;
  /** Whether nothing is there. */
  readonly isFree: boolean;
}

/** What an action can name: a cell, a node or a whole column, from the bottom. */
export interface PlaceSpots {
  readonly place: number;
  readonly spots: readonly Spot[];
}

export interface Plan {
  readonly kind: Kind;
  readonly places: readonly PlaceSpots[];
  readonly edges: readonly (readonly [number, number])[];
  readonly width: number;
  readonly height: number;
  /** The action fields that name places, in the order of choosing. */
  readonly fields: readonly string[];
  /** The parts of the view that the drawing shows. */
  readonly drawn: readonly Path[];
}

/** Return how to draw the hinted parts of a view; without those that the view does not have now. */
export function plansOf(schema: Schema | undefined, view: View): readonly Plan[] {
  return hintsIn(shapeOf(schema), Object.keys(KEYWORDS)).flatMap((found) => planOf(found, view) ?? []);
}

function planOf({ keyword, hint, path }: Hinted, view: View): Plan | null {
  const kind = KEYWORDS[keyword as keyof typeof KEYWORDS];
  const items = at(view, path);
  if (!isMap(hint) || !Array.isArray(items) || items.length === 0) return null;
  const places = kind === "columns" ? columnPlaces(items, hint, view) : singlePlaces(items, kind, hint, view);
  const spots = places.flatMap((each) => each.spots);
  return {
    kind,
    places,
    edges: kind === "graph" ? edgesOf(hint, view) : [],
    width: Math.max(...spots.map((each) => each.x)) + 1,
    height: Math.max(...spots.map((each) => each.y)) + 1,
    fields: Array.isArray(hint.fields) ? hint.fields.map(String) : [DEFAULT_FIELDS[kind]],
    drawn: [path, pathOf(hint.edges), pathOf(hint.positions)].filter((each) => each.length > 0),
  };
}

const DEFAULT_FIELDS = { grid: "cell", columns: "column", graph: "node" } as const;

function singlePlaces(items: readonly View[], kind: Kind, hint: Schema, view: View): readonly PlaceSpots[] {
  const positions =
    kind === "grid"
      ? gridPositions(items.length, numberAt(hint.columns, view))
      : graphPositions(hint, view, items.length);
  return items.map((item, place) => ({ place, spots: [spot(item, positions[place] ?? [0, place], hint)] }));
}

function columnPlaces(items: readonly View[], hint: Schema, view: View): readonly PlaceSpots[] {
  const columns = items.map((item) => (Array.isArray(item) ? (item as readonly View[]) : []));
  const rows = Math.max(numberAt(hint.rows, view), ...columns.map((column) => column.length));
  return columns.map((column, place) => ({
    place,
    spots: Array.from({ length: rows }, (_, row) => spot(column[row] ?? null, [rows - 1 - row, place], hint)),
  }));
}

function spot(item: View, [y, x]: readonly [number, number], hint: Schema): Spot {
  const seat = isMap(item) ? item[text(hint.seat) ?? "seat"] : item;
  const colour = isMap(item) ? item[text(hint.color) ?? "color"] : undefined;
  const label = isMap(item) ? item[text(hint.label) ?? "label"] : undefined;
  return {
    x,
    y,
    seat: typeof seat === "number" ? seat : null,
    colour: typeof colour === "string" ? colour : null,
    label: label === undefined || label === null ? (typeof item === "string" ? item : "") : String(label),
    isFree: item === null,
  };
}

function numberAt(given: View | undefined, view: View): number {
  const found = typeof given === "number" ? given : at(view, pathOf(given));
  return typeof found === "number" && found > 0 ? found : 1;
}

function gridPositions(count: number, columns: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => [Math.floor(index / columns), index % columns]);
}

/** The positions of the nodes as row and column; on a circle if the view has none. */
function graphPositions(hint: Schema, view: View, count: number): readonly (readonly [number, number])[] {
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

function pathOf(view: View | undefined): Path {
  return Array.isArray(view) ? view : [];
}

function text(view: View | undefined): string | null {
  return typeof view === "string" ? view : null;
}
