/** Lists that the server tells in parts. */

import { type ReadonlySignal, signal } from "@preact/signals";

import { patiently } from "./backoff";
import { inWords } from "./errors";

/** Some rows of a list, and whether others follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly isMore: boolean;
}

export interface Pages<Row> {
  /** All that has come so far; null until something has. */
  readonly rows: readonly Row[] | null;
  readonly isMore: boolean;
  readonly isBusy: boolean;
  /** Why the last part has not come; while it is busy, why that takes so long. */
  readonly trouble: string;
}

const HELD_UP = "The server cannot tell just now. It is asked again every second.";

/** A list that grows by one part at a time; what has come stays, whatever becomes of the next. */
export class Paged<Row> {
  private readonly current = signal<Pages<Row>>({ rows: null, isMore: true, isBusy: false, trouble: "" });
  readonly pages: ReadonlySignal<Pages<Row>> = this.current;
  private isWanted = true;

  constructor(private readonly fetch: (known: readonly Row[]) => Promise<Page<Row>>) {}

  /** Ask for the next part, unless it is on its way. */
  async more(): Promise<void> {
    if (this.current.value.isBusy) return;
    const known = this.current.value.rows ?? [];
    this.change({ isBusy: true, trouble: "" });
    try {
      const { rows, isMore } = await patiently(
        () => this.fetch(known),
        () => this.isWanted,
        () => this.change({ trouble: HELD_UP }),
      );
      this.change({ rows: [...known, ...rows], isMore, isBusy: false, trouble: "" });
    } catch (error) {
      this.change({ isBusy: false, trouble: inWords(error) });
    }
  }

  /** Ask no more: nobody looks at it any longer. */
  end(): void {
    this.isWanted = false;
  }

  private change(change: Partial<Pages<Row>>): void {
    this.current.value = { ...this.current.value, ...change };
  }
}
