/** MessagePack agrees with an independent implementation. */

import { Encoder, decode as independentDecode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";

import { WireError } from "../src/errors.js";
import { decode, encode } from "../src/wire/msgpack.js";

/** Pseudo-random numbers below a limit, the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const EDGES = [7, 8, 15, 16, 31, 32, 53].flatMap((bits) => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]);
const NUMBERS = [0, 1, 31, 32, 33, ...EDGES].filter(Number.isSafeInteger).flatMap((each) => [each, -each || 0]);
const SIZES = [0, 1, 15, 16, 17, 23, 24, 31, 32, 33, 255, 256, 65_535, 65_536];
const TEXTS = [
  ...SIZES.flatMap((size) => ["a".repeat(size), "é".repeat(size / 2)]),
  "\uFEFF",
  "\u{1F3B2}x",
  "a\u0000b",
];

function value(draw: (below: number) => number, depth = 4): unknown {
  const kind = draw(depth ? 9 : 6);
  if (kind === 0) return [null, true, false][draw(3)];
  if (kind < 3) return NUMBERS[draw(NUMBERS.length)];
  if (kind === 3) return draw(1000) / 8;
  if (kind === 4) return new Uint8Array(draw(300)).fill(draw(256));
  if (kind === 5) return TEXTS[draw(20)];
  const items = Array.from({ length: draw(20) }, () => value(draw, depth - 1));
  return kind < 8 ? items : Object.fromEntries(items.map((item) => [`${TEXTS[draw(12)]}${draw(20)}`, item]));
}

const independent = new Encoder();

describe.each([
  ["numbers", [...NUMBERS, 0.5, -1e300, Number.POSITIVE_INFINITY]],
  ["texts", TEXTS],
  ["bytes", SIZES.map((size) => new Uint8Array(size).fill(7))],
  ["lists", SIZES.map((size) => new Array(size).fill(null))],
  ["maps", SIZES.map((size) => Object.fromEntries(Array.from({ length: size }, (_, key) => [`k${key}`, key])))],
  ["trees", Array.from({ length: 300 }, (_, seed) => value(numbers(seed)))],
])("%s", (_, values) => {
  test("are encoded as everywhere", () => {
    for (const each of values) expect(Buffer.compare(encode(each), independent.encode(each))).toBe(0);
  });

  test("are read again", () => {
    for (const each of values) expect(decode(encode(each))).toEqual(each);
  });
});

test("numbers in forms that are longer than needed, and short floats, are read", () => {
  const forms = ["cc05", "cd0005", "ce00000005", "cf0000000000000005", "d005", "d10005", "d200000005"];
  for (const form of [...forms, "d30000000000000005", "ca40a00000", "cb4014000000000000"])
    expect(decode(Buffer.from(form, "hex"))).toBe(5);
});

test("the bytes may lie anywhere in a buffer", () => {
  const bytes = Buffer.concat([Buffer.from([1, 2, 3]), encode(["é", 2 ** 40]), Buffer.from([4])]);
  expect(decode(new Uint8Array(bytes).subarray(3, -1))).toEqual(["é", 2 ** 40]);
});

test.each([
  "",
  "c1",
  "81c0c0",
  "8101c0",
  "81a95f5f70726f746f5f5fc0",
  "c70100",
  "d40100",
  "0101",
  "ddffffffff",
  "d9ff61",
  "a1ff",
])("%s is refused", (hex) => {
  expect(() => decode(Buffer.from(hex, "hex"))).toThrow(WireError);
});

test("lists nested too deeply are refused", () => {
  expect(() => decode(new Uint8Array(1_000_000).fill(0x91))).toThrow(WireError);
});

test("random bytes are read as everywhere, or refused", () => {
  const draw = numbers(7);
  let read = 0;
  for (let round = 0; round < 20_000; round++) {
    const bytes = Uint8Array.from({ length: 1 + draw(12) }, () => draw(256));
    const found = attempt(() => decode(bytes));
    if (found !== undefined)
      expect([hexOf(bytes), found]).toEqual([hexOf(bytes), attempt(() => independentDecode(bytes))]);
    read += Number(found !== undefined);
  }
  expect(read).toBeGreaterThan(1000);
});

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
