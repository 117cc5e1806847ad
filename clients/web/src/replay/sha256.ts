/** SHA-256 in plain code: browsers offer their own only to pages loaded over https. */

const primes = firstPrimes(64);
const ROUND = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** Return the 32-byte hash of the joined *parts*. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const words = padded(parts);
  const state = START.slice();
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) compress(state, words.subarray(block, block + 16), schedule);
  const out = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) out.setUint32(4 * index, word);
  return new Uint8Array(out.buffer);
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function padded(parts: readonly Uint8Array[]): Uint32Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(bytes.length - 4, length << 3);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index));
}

function compress(state: Uint32Array, block: Uint32Array, w: Uint32Array): void {
  w.set(block);
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15] as number;
    const b = w[i - 2] as number;
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (w[i] as number);
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] as number) + word;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractional part, as the standard defines its constants. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime)) found.push(candidate);
  }
  return found;
}
