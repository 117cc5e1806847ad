/** The golden frames and patches and the tables of the protocol document, which the Python tests read too. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { View } from "../src/generated/messages.js";

const ROOT = resolve(import.meta.dirname, "../../..");

export interface Golden {
  readonly name: string;
  readonly direction: "client" | "server";
  readonly hex: string;
  readonly json: Readonly<Record<string, unknown>> & { readonly type: string };
}

export function goldenFrames(): readonly Golden[] {
  return ["client", "server", "edges"].flatMap(
    (name) => JSON.parse(readFileSync(`${ROOT}/tests/golden/frames/${name}.json`, "utf-8")) as Golden[],
  );
}

export interface GoldenPatch {
  readonly before: View;
  readonly patch: View;
  readonly after: View;
}

export function goldenPatches(): readonly GoldenPatch[] {
  return JSON.parse(readFileSync(`${ROOT}/tests/golden/patches.json`, "utf-8")) as GoldenPatch[];
}

/** Return the rows of a table of docs/PROTOCOL_REFERENCE.md between its marks, without backquotes. */
export function protocolTable(mark: string): readonly (readonly string[])[] {
  const document = readFileSync(`${ROOT}/docs/PROTOCOL_REFERENCE.md`, "utf-8");
  const part = document.split(`<!-- ${mark} -->`)[1]?.split("<!-- end -->")[0] ?? "";
  const lines = part.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim().replace(/^`|`$/g, "")),
  );
}

/** Return the hexadecimal blocks between the marks of docs/PROTOCOL_REFERENCE.md. */
export function protocolBytes(mark: string): readonly string[] {
  const document = readFileSync(`${ROOT}/docs/PROTOCOL_REFERENCE.md`, "utf-8");
  const part = document.split(`<!-- ${mark} -->`)[1]?.split("<!-- end -->")[0] ?? "";
  return [...part.matchAll(/```hex\n([^`]*)```/g)].map((block) => (block[1] ?? "").replace(/\s/g, ""));
}
