/** The canonical bytes of a view, and the checksum that compares two copies. */

import type { View } from "../generated/messages.js";
import { encode } from "./msgpack.js";

const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Return canonical MessagePack: shortest forms, map keys in the order of their UTF-8 bytes. */
export function canonical(view: View): Uint8Array {
  return encode(view, (map) => Object.keys(map).sort(byCodePoint));
}

/** Return the CRC-32 (as of zlib) of a view's canonical bytes. */
export function checksum(view: View): number {
  return crc32(canonical(view));
}

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Compare in UTF-8 order, which is by code point; `<` compares UTF-16, which differs beyond U+D7FF. */
export function byCodePoint(left: string, right: string): number {
  const one = Array.from(left);
  const other = Array.from(right);
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const difference = ((one[index] as string).codePointAt(0) ?? 0) - ((other[index] as string).codePointAt(0) ?? 0);
    if (difference) return difference;
  }
  return one.length - other.length;
}
