/** Reads the hints of a game: keywords in the schemas of its views and actions (`warroom_games/hints.py`). */

import { isMap, type View } from "warroom-client";
import { alternativesOf, type Schema } from "../../ui/schema";
import { type Shape, shapeAt } from "./field_order";

export type Path = readonly (string | number)[];

/** A hinted part of a view. */
export interface Hinted {
  readonly keyword: string;
  /** The value of the keyword. */
  readonly hint: View;
  readonly path: readonly string[];
  readonly shape: Shape;
}

const DEEPEST = 3;

/** Return a keyword of a schema, or of the alternative that has it. */
export function hintOf(shape: Shape | null, keyword: string): View {
  if (!shape) return null;
  const parts = [shape.part, ...alternativesOf(shape.part, shape.whole)];
  return parts.find((part) => keyword in part)?.[keyword] ?? null;
}

/** Return the fields of a view that have one of these hints, in the order of its type. */
export function hintsIn(shape: Shape | null, keywords: readonly string[], path: readonly string[] = []): Hinted[] {
  return fieldsOf(shape).flatMap(([name, field]) => {
    const here = [...path, name];
    for (const keyword of keywords) {
      const hint = hintOf(field, keyword);
      if (hint !== null) return [{ keyword, hint, path: here, shape: field }];
    }
    return here.length > DEEPEST ? [] : hintsIn(field, keywords, here);
  });
}

function fieldsOf(shape: Shape | null): readonly (readonly [string, Shape])[] {
  if (!shape) return [];
  const maps = alternativesOf(shape.part, shape.whole).flatMap(({ properties }) =>
    isMap(properties) ? [properties] : [],
  );
  return Object.entries(maps[0] ?? {}).flatMap(([name, part]): [string, Shape][] =>
    isMap(part) ? [[name, { part, whole: shape.whole }]] : [],
  );
}

/** Return the part of a view at a path; null if there is none. */
export function at(view: View, path: Path): View {
  return path.reduce<View>((node, step) => {
    if (Array.isArray(node)) return node[Number(step)] ?? null;
    return isMap(node) ? (node[step] ?? null) : null;
  }, view);
}

/** Return a view without some of its parts. */
export function without(view: View, paths: readonly Path[]): View {
  return paths.reduce<View>((left, path) => remove(left, path), view);
}

function remove(view: View, [step, ...rest]: Path): View {
  if (!isMap(view) || step === undefined || !(step in view)) return view;
  const { [step]: inner, ...others } = view;
  if (rest.length === 0) return others;
  return { ...others, [step]: remove(inner ?? null, rest) };
}

/** Return the shape of one type of action. */
export function actionShape(schema: Schema | undefined, type: View): Shape | null {
  if (!schema) return null;
  const part = alternativesOf(schema, schema).find(({ properties }) => {
    const tag = isMap(properties) ? properties.type : null;
    return isMap(tag) && Array.isArray(tag.enum) && tag.enum.includes(type ?? "");
  });
  return part ? { part, whole: schema } : null;
}

/** What is known about actions before they are played. */
export interface Notes {
  /** What the choices of an action cost by the view; empty if nothing. */
  price(action: { readonly [key: string]: View }): string;
  /** What the game says about a legal action; empty if nothing. */
  told(action: { readonly [key: string]: View }): string;
}

export function noteText({ price, told }: Notes, action: { readonly [key: string]: View }): string {
  return [price(action), told(action)].filter(Boolean).join(" · ");
}

/** Return a function that gives the price of an action, from the prices in the views; empty if it has none. */
export function pricesIn(
  parts: readonly { readonly view: View; readonly shape: Shape | null }[],
): (action: { readonly [key: string]: View }) => string {
  const lists = parts.flatMap(({ view, shape }) =>
    hintsIn(shape, ["x-costs"]).flatMap(({ hint, path }) => (isMap(hint) ? [{ hint, prices: at(view, path) }] : [])),
  );
  return (action) =>
    lists
      .map(({ hint, prices }) => {
        const choice = action[String(hint.field)];
        const isKey = typeof choice === "string" || typeof choice === "number";
        return isKey ? priceText(at(prices, [choice]), String(hint.unit ?? "")) : "";
      })
      .filter(Boolean)
      .join(", ");
}

function priceText(price: View, unit: string): string {
  if (typeof price === "number") return `${price} ${unit}`.trim();
  if (!isMap(price)) return "";
  const parts = Object.entries(price).filter(([, amount]) => typeof amount === "number" && amount !== 0);
  return parts.map(([name, amount]) => `${amount} ${name}`).join(", ");
}

/** Return the shape of the fields of an action. */
export function fieldShape(action: View, shape: Shape | null, field: string): Shape | null {
  return shape && shapeAt(action, shape, field);
}
