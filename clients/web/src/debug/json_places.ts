/** Finds places in JSON text: where it breaks off, and where the value at a path lies. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text is no JSON from *at* on. */
export class JsonError extends Error {
  constructor(
    readonly at: number,
    expected: string,
  ) {
    super(`expected ${expected}`);
  }
}

const BLANK = /[ \t\n\r]*/y;
const STRING = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const OTHER = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Return where each value of JSON text lies, by paths such as `$.hands[0]`; throw `JsonError` if it is none. */
export function placesIn(text: string): ReadonlyMap<string, Span> {
  const reader = new Reader(text);
  reader.value("$");
  reader.end();
  return reader.places;
}

/** Return line and column of a position, from 1. */
export function lineOf(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

class Reader {
  readonly places = new Map<string, Span>();
  private at = 0;

  constructor(private readonly text: string) {}

  value(path: string): void {
    this.match(BLANK);
    const start = this.at;
    if (this.take("{")) this.items("}", () => this.member(path));
    else if (this.take("[")) this.items("]", (index) => this.value(`${path}[${index}]`));
    else if (this.match(STRING) === null && this.match(OTHER) === null) throw new JsonError(this.at, "a value");
    this.places.set(path, { start, end: this.at });
  }

  end(): void {
    this.match(BLANK);
    if (this.at < this.text.length) throw new JsonError(this.at, "the end");
  }

  private items(close: string, read: (index: number) => void): void {
    this.match(BLANK);
    if (this.take(close)) return;
    for (let index = 0; ; index += 1) {
      read(index);
      this.match(BLANK);
      if (this.take(close)) return;
      if (!this.take(",")) throw new JsonError(this.at, `a comma or ${close}`);
    }
  }

  private member(path: string): void {
    this.match(BLANK);
    const key = this.match(STRING);
    if (key === null) throw new JsonError(this.at, "a key in quotes");
    this.match(BLANK);
    if (!this.take(":")) throw new JsonError(this.at, "a colon");
    this.value(`${path}.${JSON.parse(key) as string}`);
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found?.[0] ?? null;
  }
}
