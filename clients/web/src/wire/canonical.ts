/** The canonical bytes of a view, and the checksum that compares two copies. */

import { Encoder } from "@msgpack/msgpack";

import type { View } from "../generated/messages";

const ENCODER = new Encoder();
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Return canonical MessagePack: shortest forms, map keys in the order of their UTF-8 bytes. */
export function canonical(view: View): Uint8Array {
  const parts: Uint8Array[] = [];
  write(view, parts);
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
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

/** Write maps key by key: an object that is sorted beforehand still has its keys like `10` first, as numbers. */
function write(view: View, parts: Uint8Array[]): void {
  if (view === null || typeof view !== "object") {
    parts.push(ENCODER.encode(view));
  } else if (Array.isArray(view)) {
    parts.push(header(view.length, 0x90, 0xdc));
    for (const each of view as readonly View[]) write(each, parts);
  } else {
    const map = view as { readonly [key: string]: View };
    const keys = Object.keys(map).sort(byCodePoint);
    parts.push(header(keys.length, 0x80, 0xde));
    for (const key of keys) {
      parts.push(ENCODER.encode(key));
      write(map[key] as View, parts);
    }
  }
}

/** The first bytes of a list or map: *few* holds up to 15 items, *many* is followed by 16 bits, the next by 32. */
function header(size: number, few: number, many: number): Uint8Array {
  if (size < 16) return Uint8Array.of(few | size);
  if (size < 65_536) return Uint8Array.of(many, size >> 8, size & 255);
  return Uint8Array.of(many + 1, size >>> 24, (size >> 16) & 255, (size >> 8) & 255, size & 255);
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
