/** Values of a view by the hints of their types: seats as players, numbers as symbols, and everything else as text. */

import { isMap, type View } from "warroom-client";
import { valueText } from "../plain_text";
import { spaced } from "../text_case";
import { keysOf, type Shape, shapeAt } from "./field_order";
import { hintOf } from "./hints";
import type { Looks } from "./looks";

/** Return a value as text. */
export function textOf(view: View, shape: Shape | null, looks: Looks): string {
  if (typeof view === "number") {
    if (isSeat(shape)) return looks.name(view);
    return symbolOf(view, shape) ?? valueText(view);
  }
  if (Array.isArray(view)) {
    const items = view.map((item: View) => textOf(item, itemShape(view, shape), looks));
    return items.join(isSeat(itemShape(view, shape)) ? ", " : " ") || "–";
  }
  if (!isMap(view)) return valueText(view);
  return `(${fieldTexts(view, shape, looks).join(", ")})`;
}

/** Return `name value` for each field of a map. */
export function fieldTexts(view: { readonly [key: string]: View }, shape: Shape | null, looks: Looks): string[] {
  return keysOf(view, shape)
    .filter((key) => key !== "type")
    .map(
      (key) =>
        `${labelOf(key, shapeAt(view, shape, key))} ${textOf(view[key] ?? null, shapeAt(view, shape, key), looks)}`,
    );
}

/** The title of a field, if its type has one, or else its name. */
export function labelOf(key: string, shape: Shape | null): string {
  const title = shape?.part.title;
  return typeof title === "string" ? title : spaced(key);
}

interface Props {
  readonly view: View;
  readonly shape: Shape | null;
  readonly looks: Looks;
}

/** A value on one line. */
export function Value({ view, shape, looks }: Props) {
  if (isMap(view)) return <FieldValues view={view} shape={shape} looks={looks} />;
  const items = Array.isArray(view) ? view : [view];
  const each = Array.isArray(view) ? itemShape(view, shape) : shape;
  if (items.length && isSeat(each) && items.every((item) => typeof item === "number")) {
    return (
      <span class="players">
        {items.map((seat) => (
          <Player key={String(seat)} seat={Number(seat)} looks={looks} />
        ))}
      </span>
    );
  }
  const isSymbolic = items.length > 0 && items.every((item) => typeof item === "number" && symbolOf(item, each));
  const text = textOf(view, shape, looks);
  return <span class={isSymbolic ? "symbols" : undefined}>{text}</span>;
}

function FieldValues({ view, shape, looks }: Props & { readonly view: { readonly [key: string]: View } }) {
  const keys = keysOf(view, shape).filter((key) => key !== "type");
  return (
    <span class="fields">
      {keys.map((key) => {
        const inner = shapeAt(view, shape, key);
        return (
          <span key={key}>
            {labelOf(key, inner)} <Value view={view[key] ?? null} shape={inner} looks={looks} />
          </span>
        );
      })}
    </span>
  );
}

/** The mark and the name of a player. */
export function Player({ seat, looks }: { readonly seat: number; readonly looks: Looks }) {
  const { name, colour, mark } = looks;
  return (
    <span class="player">
      <i class="mark" style={{ "--mine": colour(seat) }} aria-hidden="true">
        {mark(seat)}
      </i>
      {name(seat)}
    </span>
  );
}

function isSeat(shape: Shape | null): boolean {
  return hintOf(shape, "x-seat") === true;
}

function symbolOf(value: number, shape: Shape | null): string | null {
  const symbols = hintOf(shape, "x-symbols");
  const symbol = Array.isArray(symbols) ? symbols[value] : null;
  return typeof symbol === "string" && symbol ? symbol : null;
}

function itemShape(view: View, shape: Shape | null): Shape | null {
  return shapeAt(view, shape, "0");
}
