/** The contrast of drawn lines, which accessibility checkers do not measure. */

import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** The minimum contrast of graphics by the accessibility guidelines. */
const ENOUGH = 3;
const TOKENS = read("../src/styles/base.css");
const EDGES = read("../src/boards/graph_battle/graph_battle.css");
const COLOURS = ["red", "green", "yellow", "blue", "purple", "teal"];

type Rgb = readonly number[];

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

function part(text: string, pattern: RegExp): string {
  return text.match(pattern)?.[1] ?? "";
}

/** A colour of the page, light (0) or dark (1). */
function token(name: string, time: number): Rgb {
  const both = part(TOKENS, new RegExp(`--${name}: light-dark\\(([^)]*)\\)`)).split(", ");
  return (both[time] ?? "").match(/[0-9a-f]{2}/g)?.map((each) => Number.parseInt(each, 16)) ?? [];
}

function over(paper: Rgb, ink: Rgb, opacity: number): Rgb {
  return ink.map((each, index) => opacity * each + (1 - opacity) * (paper[index] ?? 0));
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((each) =>
    each / 255 <= 0.03928 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each([
  ["day", 0],
  ["night", 1],
])("the edges of Graph Battle stand out by %s, for any owners", (_, time) => {
  const sheet = token("sheet", time);
  const free = part(EDGES, /\.gb-edges line \{\s*stroke: var\(--([\w-]+)\)/);
  const opacity = Number(part(EDGES, /\.gb-territory \{[^}]*opacity: ([\d.]+)/));
  const lines = [token(free, time), ...COLOURS.map((colour) => over(sheet, token(colour, time), opacity))];
  expect(Math.min(...lines.map((line) => contrast(line, sheet)))).toBeGreaterThanOrEqual(ENOUGH);
});
