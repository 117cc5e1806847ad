/**
 * MessagePack, as far as the protocol uses it: no extension types, and maps have text keys.
 *
 * The usual library is five times as large, and every page would load it (docs/adr/0032).
 */

import { WireError } from "../errors.js";

const DECODER = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ENCODER = /* @__PURE__ */ new TextEncoder();
const WORD = 2 ** 32;
/** Shorter texts are converted here if they are ASCII, because calling the decoder or encoder takes longer. */
const SHORT = 32;

/** Return the only value in the bytes; throw `WireError` if they are anything else. */
export function decode(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  try {
    const value = reader.read();
    if (reader.at === bytes.length) return value;
  } catch (error) {
    if (error instanceof WireError) throw error; // the others: past the end, nested too deeply, no UTF-8
  }
  throw new WireError("the bytes are no MessagePack");
}

/** Return the bytes of a value, in the shortest forms; *keysOf* orders the keys of its maps. */
export function encode(value: unknown, keysOf: (map: object) => string[] = Object.keys): Uint8Array<ArrayBuffer> {
  const writer = new Writer(keysOf);
  writer.write(value);
  return writer.done;
}

class Reader {
  at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(): unknown {
    const first = this.unsigned(1);
    if (first < 0x80) return first;
    if (first < 0x90) return this.map(first & 15);
    if (first < 0xa0) return this.list(first & 15);
    if (first < 0xc0) return this.text(first & 31);
    if (first >= 0xe0) return first - 256;
    return this.long(first);
  }

  /** Read a value whose first byte says how long its size or number is. */
  private long(first: number): unknown {
    if (first >= 0xde) return this.map(this.unsigned(2 << (first - 0xde)));
    if (first >= 0xdc) return this.list(this.unsigned(2 << (first - 0xdc)));
    if (first >= 0xd9) return this.text(this.unsigned(1 << (first - 0xd9)));
    if (first >= 0xd4) throw new WireError("extension types are not part of the protocol");
    if (first >= 0xd0) return this.signed(1 << (first - 0xd0));
    if (first >= 0xcc) return this.unsigned(1 << (first - 0xcc));
    if (first >= 0xca) return first === 0xca ? this.view.getFloat32(this.skip(4)) : this.view.getFloat64(this.skip(8));
    if (first >= 0xc7) throw new WireError("extension types are not part of the protocol");
    if (first >= 0xc4) return this.bin(this.unsigned(1 << (first - 0xc4)));
    if (first === 0xc1) throw new WireError("the bytes are no MessagePack");
    return first === 0xc0 ? null : first === 0xc3;
  }

  /** Move on by *length* bytes and return where they begin. */
  private skip(length: number): number {
    const begin = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new RangeError();
    return begin;
  }

  private unsigned(length: number): number {
    const begin = this.skip(length);
    if (length === 1) return this.bytes[begin] as number;
    if (length === 2) return this.view.getUint16(begin);
    if (length === 4) return this.view.getUint32(begin);
    return this.view.getUint32(begin) * WORD + this.view.getUint32(begin + 4);
  }

  private signed(length: number): number {
    const begin = this.skip(length);
    if (length === 1) return this.view.getInt8(begin);
    if (length === 2) return this.view.getInt16(begin);
    if (length === 4) return this.view.getInt32(begin);
    return this.view.getInt32(begin) * WORD + this.view.getUint32(begin + 4);
  }

  private bin(length: number): Uint8Array {
    const begin = this.skip(length);
    return this.bytes.slice(begin, this.at);
  }

  private text(length: number): string {
    const begin = this.skip(length);
    let text = "";
    for (let at = begin; length < SHORT && at < this.at; at++) {
      const byte = this.bytes[at] as number;
      if (byte > 0x7f) break;
      text += String.fromCharCode(byte);
    }
    return text.length === length ? text : DECODER.decode(this.bytes.subarray(begin, this.at));
  }

  private list(length: number): unknown[] {
    const items: unknown[] = [];
    for (let index = 0; index < length; index++) items.push(this.read());
    return items;
  }

  private map(length: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let index = 0; index < length; index++) {
      const key = this.read();
      if (typeof key !== "string" || key === "__proto__") throw new WireError("a key of a map is no text");
      map[key] = this.read();
    }
    return map;
  }
}

class Writer {
  private bytes = new Uint8Array(256);
  private view = new DataView(this.bytes.buffer);
  private at = 0;

  constructor(private readonly keysOf: (map: object) => string[]) {}

  get done(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.at);
  }

  write(value: unknown): void {
    if (value === null || value === undefined) this.byte(0xc0);
    else if (typeof value === "boolean") this.byte(value ? 0xc3 : 0xc2);
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "string") this.text(value);
    else if (Array.isArray(value)) this.list(value);
    else if (value instanceof Uint8Array) this.bin(value);
    else this.map(value as Record<string, unknown>);
  }

  /** Make room for *length* bytes and return where they begin. */
  private grow(length: number): number {
    const begin = this.at;
    this.at += length;
    if (this.at > this.bytes.length) {
      const former = this.bytes;
      this.bytes = new Uint8Array(2 * this.at);
      this.bytes.set(former);
      this.view = new DataView(this.bytes.buffer);
    }
    return begin;
  }

  private byte(byte: number): void {
    const begin = this.grow(1);
    this.bytes[begin] = byte;
  }

  /** Write an integer, negative or not, in *length* bytes. */
  private integer(value: number, length: number): void {
    const begin = this.grow(length);
    if (length === 1) this.view.setUint8(begin, value);
    else if (length === 2) this.view.setUint16(begin, value);
    else if (length === 4) this.view.setUint32(begin, value);
    else {
      this.view.setUint32(begin, Math.floor(value / WORD));
      this.view.setUint32(begin + 4, value);
    }
  }

  private number(value: number): void {
    if (!Number.isSafeInteger(value)) {
      this.byte(0xcb);
      const begin = this.grow(8);
      this.view.setFloat64(begin, value);
    } else if (value >= -32 && value < 0x80) this.byte(value & 255);
    else if (value > 0) this.sized(value, 0xcc);
    else this.coded(value, 0xd0, value >= -0x80 ? 0 : value >= -0x8000 ? 1 : value >= -WORD / 2 ? 2 : 3);
  }

  /** Write a number in as few bytes as it takes, behind *code* for one byte and the following codes for more. */
  private sized(value: number, code: number): void {
    this.coded(value, code, value < 0x100 ? 0 : value < 0x10000 ? 1 : value < WORD ? 2 : 3);
  }

  private coded(value: number, code: number, form: number): void {
    this.byte(code + form);
    this.integer(value, 1 << form);
  }

  private text(text: string): void {
    if (text.length < SHORT && this.ascii(text)) return;
    const bytes = ENCODER.encode(text);
    if (bytes.length < 32) this.byte(0xa0 | bytes.length);
    else this.sized(bytes.length, 0xd9);
    this.raw(bytes);
  }

  /** Write a short text and return true, if each character is one byte. */
  private ascii(text: string): boolean {
    const begin = this.grow(text.length + 1);
    this.bytes[begin] = 0xa0 | text.length;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) {
        this.at = begin;
        return false;
      }
      this.bytes[begin + 1 + index] = code;
    }
    return true;
  }

  private bin(bytes: Uint8Array): void {
    this.sized(bytes.length, 0xc4);
    this.raw(bytes);
  }

  private raw(bytes: Uint8Array): void {
    const begin = this.grow(bytes.length);
    this.bytes.set(bytes, begin);
  }

  /** Write the length of a list or map; there is no form with one byte for it. */
  private length(length: number, few: number, many: number): void {
    if (length < 16) this.byte(few | length);
    else this.coded(length, many - 1, length < 0x10000 ? 1 : 2);
  }

  private list(items: readonly unknown[]): void {
    this.length(items.length, 0x90, 0xdc);
    for (const item of items) this.write(item);
  }

  private map(map: Readonly<Record<string, unknown>>): void {
    const keys = this.keysOf(map);
    this.length(keys.length, 0x80, 0xde);
    for (const key of keys) {
      this.text(key);
      this.write(map[key]);
    }
  }
}
