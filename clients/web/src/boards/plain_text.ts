/** Describes actions and events of any game in one line. */

import { isMap, type View } from "warroom-client";
import type { Table } from "./board";
import { capital, spaced } from "./text_case";

/** Fields that contain a seat in any game. */
const SEATS = new Set(["seat", "by", "winner"]);

/** Return an event as `kind: whose, field value, …`. */
export function eventText(event: View, table: Table): string {
  if (!isMap(event)) return valueText(event);
  const whose = "seat" in event ? [capital(table.name(event.seat as number | null))] : [];
  const fields = Object.entries(event)
    .filter(([key]) => key !== "type" && key !== "seat")
    .map(([key, value]) => `${spaced(key)} ${SEATS.has(key) ? table.name(value as number | null) : valueText(value)}`);
  const kind = spaced(String(event.type ?? ""));
  return [...whose, kind, fields.join(", ")].filter(Boolean).join(" · ");
}

/** Return an action as text: its kind, then its fields. */
export function actionText(action: View): string {
  if (!isMap(action)) return valueText(action);
  const fields = Object.entries(action)
    .filter(([key]) => key !== "type")
    .map(([key, value]) => `${spaced(key)} ${valueText(value)}`);
  return [spaced(String(action.type ?? "")), fields.join(", ")].filter(Boolean).join(": ");
}

export function valueText(value: View): string {
  if (value === null) return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.map(valueText).join(" ") || "–";
  if (isMap(value))
    return `(${Object.entries(value)
      .map(([key, each]) => `${spaced(key)} ${valueText(each)}`)
      .join(", ")})`;
  return String(value);
}
