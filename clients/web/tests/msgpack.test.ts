/** MessagePack of our own says what everybody's does. */

import { decode, encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";

import { pack, unpack } from "../src/wire/msgpack";
import { hex, unhex } from "../src/wire/sha256";

const EDGES = [0, 0x20, 0x80, 0x100, 0x8000, 0x10000, 2 ** 31, 2 ** 32, 2 ** 40, Number.MAX_SAFE_INTEGER];
const NUMBERS = EDGES.flatMap((edge) => [edge - 1, edge, -edge || 0, -1 - edge]).filter(Number.isSafeInteger);
const LENGTHS = [0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536];
const TEXTS = ["", "Ada", "née", "\ufeffmark", "a 🂡 card", "x".repeat(40), "ä".repeat(31)];

const VALUES: readonly (readonly [string, unknown])[] = [
  ["nothing, yes and no", [null, true, false]],
  ...NUMBERS.map((number) => [`the number ${number}`, number] as const),
  ["broken numbers", [0.5, -2.25, 1e300]],
  ...TEXTS.map((text) => [`the text ${text}`, { [text]: text }] as const),
  ...LENGTHS.map((length) => [`a text of ${length}`, "n".repeat(length)] as const),
  ...LENGTHS.map((length) => [`${length} bytes`, new Uint8Array(length).fill(7)] as const),
  ...LENGTHS.map((length) => [`${length} items`, Array.from({ length }, () => 1)] as const),
  ...LENGTHS.map(
    (length) => [`${length} keys`, Object.fromEntries(Array.from({ length }, (_, key) => [`k${key}`, 0]))] as const,
  ),
  ["one in another", { rows: [[{ at: [1, -1], who: null }], { "": [] }] }],
];

test.each(VALUES)("%s", (_, value) => {
  const bytes = pack(value);
  expect(hex(bytes) === hex(encode(value))).toBe(true);
  expect(unpack(bytes)).toEqual(decode(bytes));
  expect(unpack(new Uint8Array([0, ...bytes]).subarray(1))).toEqual(value);
});

test("what is not known stands for nothing", () => {
  expect(unpack(pack([undefined]))).toEqual([null]);
});

describe("what is no value", () => {
  test.each([
    ["", "nothing at all"],
    ["c1", "the code that never comes"],
    ["d40100", "an extension"],
    ["9201", "half of a pair"],
    ["a3c3", "half of a text"],
    ["cd01", "half of a number"],
    ["c0c0", "two values"],
    ["810101", "a number for a key"],
    ["81a95f5f70726f746f5f5f80", "the prototype for a key"],
  ])("%s (%s)", (bytes) => {
    expect(() => unpack(unhex(bytes))).toThrow(RangeError);
  });
});
