/** MessagePack, as much of it as values like those of JSON need, and binary data: the protocol has nothing else. */

const UTF8 = new TextEncoder();
const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });
const HALF = 2 ** 32;
/** Shorter texts are mostly names, which are faster to take letter by letter. */
const SHORT = 32;

/** Return the shortest bytes of a value; maps keep the order of their keys. */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writer.write(value);
  return writer.bytes.slice(0, writer.at);
}

/** Return the value that all of the bytes stand for; throw `RangeError` if they stand for none. */
export function unpack(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const value = reader.read();
  if (reader.at !== bytes.length) throw new RangeError("something follows");
  return value;
}

class Writer {
  bytes = new Uint8Array(256);
  at = 0;

  write(value: unknown): void {
    if (value === null || value === undefined) this.uint(0xc0, 1);
    else if (typeof value === "boolean") this.uint(value ? 0xc3 : 0xc2, 1);
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "string") this.text(value);
    else if (value instanceof Uint8Array) {
      this.length(value.length, 0, 0, 0xc4);
      this.all(value);
    } else if (Array.isArray(value)) {
      this.length(value.length, 0x90, 16, 0xdb);
      for (const each of value) this.write(each);
    } else {
      const keys = Object.keys(value);
      this.length(keys.length, 0x80, 16, 0xdd);
      for (const key of keys) {
        this.text(key);
        this.write((value as Record<string, unknown>)[key]);
      }
    }
  }

  private text(text: string): void {
    if (text.length < SHORT && this.name(text)) return;
    const bytes = UTF8.encode(text);
    this.length(bytes.length, 0xa0, SHORT, 0xd9);
    this.all(bytes);
  }

  /** Write a short text, unless there are other than ASCII letters in it. */
  private name(text: string): boolean {
    const start = this.at;
    this.uint(0xa0 | text.length, 1);
    this.grow(text.length);
    for (let index = 0; index < text.length; index++) {
      const letter = text.charCodeAt(index);
      if (letter > 0x7f) {
        this.at = start;
        return false;
      }
      this.bytes[this.at++] = letter;
    }
    return true;
  }

  /** Write how much follows: less than *few* within *fixed*, else behind *code*, that of a length of one byte, or the next. */
  private length(length: number, fixed: number, few: number, code: number): void {
    if (length < few) this.uint(fixed | length, 1);
    else if (length < 0x100 && few !== 16)
      this.coded(code, length, 1); // which arrays and maps do not have
    else if (length < 0x10000) this.coded(code + 1, length, 2);
    else this.coded(code + 2, length, 4);
  }

  private number(value: number): void {
    if (!Number.isSafeInteger(value)) this.float(value);
    else if (value >= -32 && value < 0x80) this.uint(value & 0xff, 1);
    else if (value >= 0) {
      const power = value < 0x100 ? 0 : value < 0x10000 ? 1 : value < HALF ? 2 : 3;
      this.coded(0xcc + power, value, 1 << power);
    } else {
      const power = value >= -0x80 ? 0 : value >= -0x8000 ? 1 : value >= -HALF / 2 ? 2 : 3;
      this.coded(0xd0 + power, value, 1 << power);
    }
  }

  private float(value: number): void {
    this.uint(0xcb, 1);
    this.all(new Uint8Array(new Float64Array([value]).buffer).reverse());
  }

  private coded(code: number, value: number, size: number): void {
    this.uint(code, 1);
    this.uint(value, size);
  }

  /** Write an integer, the highest byte first; one below zero as its complement. */
  private uint(value: number, size: number): void {
    if (size === 8) this.uint(Math.floor(value / HALF), 4);
    const bytes = Math.min(size, 4);
    this.grow(bytes);
    for (let shift = bytes * 8 - 8; shift >= 0; shift -= 8) this.bytes[this.at++] = value >>> shift;
  }

  private all(bytes: Uint8Array): void {
    this.grow(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  private grow(by: number): void {
    if (this.at + by <= this.bytes.length) return;
    const { bytes } = this;
    this.bytes = new Uint8Array(2 * bytes.length + by);
    this.bytes.set(bytes);
  }
}

class Reader {
  at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  read(): unknown {
    const code = this.uint(1);
    if (code < 0x80) return code;
    if (code < 0x90) return this.map(code & 15);
    if (code < 0xa0) return this.array(code & 15);
    if (code < 0xc0) return this.text(code & 31);
    if (code >= 0xe0) return code - 0x100;
    if (code >= 0xde) return this.map(this.uint(2 << (code - 0xde)));
    if (code >= 0xdc) return this.array(this.uint(2 << (code - 0xdc)));
    if (code >= 0xd9) return this.text(this.uint(1 << (code - 0xd9)));
    return this.scalar(code);
  }

  private scalar(code: number): unknown {
    if (code >= 0xd0 && code <= 0xd3) return this.int(1 << (code - 0xd0));
    if (code >= 0xcc && code <= 0xcf) return this.uint(1 << (code - 0xcc));
    if (code >= 0xc4 && code <= 0xc6) return this.part(this.uint(1 << (code - 0xc4)));
    if (code === 0xcb) return new Float64Array(this.part(8).slice().reverse().buffer)[0];
    if (code === 0xc2 || code === 0xc3) return code === 0xc3;
    if (code === 0xc0) return null;
    throw new RangeError(`there is no value of the kind ${code}`);
  }

  private uint(size: number): number {
    const end = this.end(size);
    let value = 0;
    while (this.at < end) value = value * 0x100 + (this.bytes[this.at++] as number);
    return value;
  }

  private int(size: number): number {
    if (size === 8) return this.int(4) * HALF + this.uint(4);
    const value = this.uint(size);
    return value < 2 ** (size * 8 - 1) ? value : value - 2 ** (size * 8);
  }

  private text(length: number): string {
    const start = this.at;
    const end = this.end(length);
    if (length >= SHORT) return TEXT.decode(this.part(length));
    let text = "";
    while (this.at < end) {
      const byte = this.bytes[this.at++] as number;
      if (byte > 0x7f) {
        this.at = start;
        return TEXT.decode(this.part(length));
      }
      text += String.fromCharCode(byte);
    }
    return text;
  }

  private array(length: number): unknown[] {
    const items: unknown[] = [];
    while (items.length < length) items.push(this.read());
    return items;
  }

  private map(length: number): unknown {
    const map: Record<string, unknown> = {};
    for (let left = length; left > 0; left--) {
      const key = this.read();
      if (typeof key !== "string" || key === "__proto__") throw new RangeError("this is no key");
      map[key] = this.read();
    }
    return map;
  }

  private part(length: number): Uint8Array {
    const end = this.end(length);
    const part = this.bytes.subarray(this.at, end);
    this.at = end;
    return part;
  }

  private end(length: number): number {
    const end = this.at + length;
    if (end > this.bytes.length) throw new RangeError("it breaks off");
    return end;
  }
}
