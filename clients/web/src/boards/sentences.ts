/**
 * Turns events into sentences, with the templates of their game, as in `warroom_games/sentences.py`.
 *
 * A template covers one event or several in a row. It may contain `{field}`, `{count tile tiles}`, `{@seat takes}`,
 * `{&seat moves}` (a further verb of that player), `{@seat's}`, `{cards/value suit}`, `{+gold}`, `{list sum}`, `{list size}` and `[parts]`, which are dropped if a value
 * in them is nil, 0 or empty.
 */

import { isMap, type View } from "warroom-client";

export interface Sentence {
  readonly of: readonly string[];
  readonly text: string;
  readonly when: { readonly [key: string]: View };
}

type Fields = { readonly [key: string]: View };
/** The name of a seat; "you" puts the verb into the second person. */
type Name = (seat: number) => string;

const IRREGULAR: Readonly<Record<string, string>> = { is: "are", has: "have", goes: "go", does: "do" };
const YOU = "you";

/** Return the sentences for events; *otherwise* describes events that no template matches. */
export function told(
  sentences: readonly Sentence[],
  events: readonly View[],
  name: Name,
  otherwise: (event: View) => string,
): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < events.length; ) {
    const rest = events.slice(start);
    const found = sentences.find((each) => fits(each, rest));
    lines.push(found ? filled(found.text, merged(rest.slice(0, found.of.length)), name) : otherwise(rest[0] ?? null));
    start += found?.of.length ?? 1;
  }
  return lines.filter(Boolean);
}

function fits(sentence: Sentence, events: readonly View[]): boolean {
  const those = events.slice(0, sentence.of.length);
  if (!sentence.of.every((type, index) => isMap(those[index]) && those[index].type === type)) return false;
  const fields = merged(those);
  return Object.entries(sentence.when).every(([key, value]) => (fields[key] ?? null) === value);
}

function merged(events: readonly View[]): Fields {
  return Object.assign({}, ...events.filter(isMap)) as Fields;
}

function filled(text: string, fields: Fields, name: Name): string {
  const whole = text.replace(/\[([^[\]]*)\]/g, (_, part: string) => {
    const holes = [...part.matchAll(/\{([^{}]*)\}/g)].map((hole) => hole[1] ?? "");
    // Seat 0 is a value, not a missing one.
    return holes.every((hole) => /^[@&]/.test(hole) || isSome(valueAt(pathOf(hole), fields))) ? part : "";
  });
  return whole.replace(/\{([^{}]*)\}/g, (_, hole: string) => fill(hole, fields, name)).trim();
}

function unmarked(hole: string): string {
  return hole.replace(/^[@&+]+/, "");
}

/** The field of a placeholder. */
function pathOf(hole: string): string {
  return unmarked(hole).split(/[ /']/, 1)[0] ?? "";
}

function valueAt(path: string, fields: View): View {
  return path.split(".").reduce<View>((value, key) => {
    if (Array.isArray(value)) return value.map((each: View) => (isMap(each) ? (each[key] ?? null) : null));
    return isMap(value) ? (value[key] ?? null) : null;
  }, fields);
}

function fill(hole: string, fields: Fields, name: Name): string {
  const path = pathOf(hole);
  const value = valueAt(path, fields);
  const rest = unmarked(hole).slice(path.length);
  if (hole.startsWith("@")) return person(value, rest, name);
  if (hole.startsWith("&")) return agreeing(rest.trim(), called(value, name));
  if (hole.startsWith("+")) return typeof value === "number" && value >= 0 ? `+${value}` : shown(value);
  if (rest.startsWith("/"))
    return list(value)
      .map((each) => thing(each, rest.slice(1)))
      .join(", ");
  return counted(value, rest.split(" ").filter(Boolean));
}

function person(value: View, rest: string, name: Name): string {
  if (Array.isArray(value)) return value.map((each: View) => person(each, rest, name)).join(", ");
  const who = called(value, name);
  if (rest === "'s") return who === YOU ? "your" : `${who}'s`;
  const [verb = "", ...more] = rest.trim().split(" ");
  return [who, agreeing(verb, who), ...more].filter(Boolean).join(" ");
}

function called(value: View, name: Name): string {
  return (typeof value === "number" && name(value)) || `seat ${shown(value)}`;
}

/** The form of a verb that agrees with its subject. */
function agreeing(verb: string, subject: string): string {
  return subject === YOU ? spokenTo(verb) : verb;
}

/** The second person of a verb: `takes` becomes `take`. */
function spokenTo(verb: string): string {
  const irregular = IRREGULAR[verb];
  if (irregular) return irregular;
  if (verb.endsWith("ies")) return `${verb.slice(0, -3)}y`;
  return /(ch|sh|ss|x)es$/.test(verb) ? verb.slice(0, -2) : verb.replace(/s$/, "");
}

function thing(value: View, words: string): string {
  return words.replace(/\w+/g, (word) => (isMap(value) && word in value ? shown(value[word] ?? null) : word));
}

function counted(value: View, words: readonly string[]): string {
  if (words[0] === "sum") {
    return String(list(value).reduce<number>((sum, each) => sum + (typeof each === "number" ? each : 0), 0));
  }
  if (words[0] === "size")
    return counted(isMap(value) ? Object.keys(value).length : list(value).length, words.slice(1));
  return words.length ? `${shown(value)} ${value === 1 ? words[0] : words.at(-1)}` : shown(value);
}

function shown(value: View): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) {
    const isTyped = value.every((each: View) => typeof each === "number");
    return value.map(shown).join(isTyped ? "," : ", ");
  }
  if (!isMap(value)) return String(value);
  const some = Object.entries(value).filter(([, each]) => isSome(each));
  return some.map(([key, each]) => `${key} ${shown(each)}`).join(", ") || "nothing";
}

function list(value: View): readonly View[] {
  return Array.isArray(value) ? (value as readonly View[]) : [];
}

/** Truth as in Python. */
function isSome(value: View): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value);
}
