/** Reads the JSON schemas of options and actions, as far as forms need it. */

import type { View } from "warroom-client";

export type Schema = { readonly [key: string]: View };

/** One input: a switch, a choice, a whole number, or a text. */
export interface Entry {
  readonly name: string;
  readonly help: string;
  readonly kind: "switch" | "choice" | "number" | "text";
  readonly choices: readonly View[];
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly fallback: View;
  readonly isRequired: boolean;
  readonly mayBeNull: boolean;
}

/** One action type. */
export interface ActionKind {
  readonly type: string;
  readonly help: string;
  readonly entries: readonly Entry[];
  /** Whether a form can express it; maps and lists it cannot. */
  readonly isPlain: boolean;
}

/** Return the inputs of an object, in order. */
export function entriesOf(schema: Schema): readonly Entry[] {
  const object = resolve(schema, schema);
  const required = new Set(list(object.required).map(String));
  return Object.entries(map(object.properties)).map(([name, property]) =>
    entry(name, map(property), schema, required.has(name)),
  );
}

/** Return the action types of a game. */
export function actionKinds(schema: Schema): readonly ActionKind[] {
  return alternativesOf(schema, schema).map((object) => {
    const properties = map(object.properties);
    const required = new Set(list(object.required).map(String));
    const names = Object.keys(properties).filter((name) => name !== "type");
    const fields = names.map((name) => entry(name, map(properties[name] ?? {}), schema, required.has(name)));
    const type = list(map(properties.type ?? {}).enum)[0] ?? "";
    return {
      type: String(type),
      help: text(object.description),
      entries: fields,
      isPlain: names.every((name) => isScalar(map(properties[name] ?? {}), schema)),
    };
  });
}

/** Return a name of the protocol as words: `turn_ms` is "turn". */
export function inWords(name: string): string {
  return name.replace(/_(ms|s)$/, "").replaceAll("_", " ");
}

function entry(name: string, property: Schema, root: Schema, isRequired: boolean): Entry {
  const alternatives = alternativesOf(property, root);
  const real = alternatives.find((each) => each.type !== "null") ?? {};
  const choices = list(real.enum);
  const type = real.type;
  const isNumber = type === "integer" || type === "number";
  return {
    name,
    help: text(property.description ?? real.description),
    kind: choices.length ? "choice" : type === "boolean" ? "switch" : isNumber ? "number" : "text",
    choices,
    minimum: number(real.minimum),
    maximum: number(real.maximum) ?? below(real.exclusiveMaximum),
    fallback: property.default ?? null,
    isRequired,
    mayBeNull: alternatives.some((each) => each.type === "null"),
  };
}

function isScalar(property: Schema, root: Schema): boolean {
  return alternativesOf(property, root).every(({ type }) => type !== "object" && type !== "array");
}

/** Return the alternatives of a schema, with references to *root* resolved. */
export function alternativesOf(schema: Schema, root: Schema): readonly Schema[] {
  const found = resolve(schema, root);
  return found.anyOf ? list(found.anyOf).flatMap((each) => alternativesOf(map(each), root)) : [found];
}

/** Return the target of a reference, or the schema itself. */
export function resolve(schema: Schema, root: Schema): Schema {
  const reference = schema.$ref;
  if (typeof reference !== "string") return schema;
  const name = reference.split("/").at(-1) ?? "";
  return map(map(root.$defs ?? {})[name] ?? {});
}

function map(view: View | undefined): Schema {
  return view !== null && typeof view === "object" && !Array.isArray(view) ? (view as Schema) : {};
}

function list(view: View | undefined): readonly View[] {
  return Array.isArray(view) ? view : [];
}

/** Text without code marks. */
function text(view: View | undefined): string {
  return typeof view === "string" ? view.replaceAll("`", "") : "";
}

function number(view: View | undefined): number | null {
  return typeof view === "number" ? view : null;
}

function below(view: View | undefined): number | null {
  return typeof view === "number" ? view - 1 : null;
}
