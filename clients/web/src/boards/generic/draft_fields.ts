/** The draft of the generic board: independent fields side by side. */

import { isMap, type View } from "warroom-client";
import type { BoardProps } from "../board";
import type { Ordering } from "../orders";

export type Fields = { readonly [key: string]: View };

export type Props = BoardProps & Ordering<View>;

/** The fields of a draft: places on the drawing, the form, and the choices for each kind of action. */
export const PLACES = "places";
export const FORM = "form";

export function choicesOf(kind: string): string {
  return `choices: ${kind}`;
}

/** Return one field of a draft. */
export function draftField(draft: View, field: string): View {
  return isMap(draft) ? (draft[field] ?? null) : null;
}

/** Return a draft with one field changed; null clears it. */
export function withDraftField(draft: View, field: string, value: View): View {
  return { ...(isMap(draft) && draft), [field]: value };
}

/** Return the choices for *names* up to the first one that no longer leads to any of the actions. */
export function stillOpen(actions: readonly Fields[], names: readonly string[], choices: View): Fields {
  const open: Record<string, View> = {};
  let fitting = actions;
  for (const name of names) {
    const value = isMap(choices) ? choices[name] : undefined; // null is a valid choice
    if (value === undefined) continue;
    fitting = fitting.filter((action) => same(action[name] ?? null, value));
    if (!fitting.length) break;
    open[name] = value;
  }
  return open;
}

/** Return a function that gives the cost or gain of an action; empty if unknown. */
export function notesOf(asked: Props["asked"]): (action: Fields) => string {
  const { legal, notes } = asked ?? {};
  const known = new Map(legal?.map((action, index) => [action, notes?.[index]]));
  return (action) => known.get(action) ?? "";
}

export function same(one: View, other: View): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
