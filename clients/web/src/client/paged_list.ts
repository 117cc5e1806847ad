/** Lists that the server sends in pages. */

import { type ReadonlySignal, signal } from "@preact/signals";

import { retryTemporary } from "warroom-client";
import { inWords } from "./error_text";

/** Some rows of a list, and whether more follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly isMore: boolean;
}

export interface Pages<Row> {
  /** All rows so far; null until the first page arrives. */
  readonly rows: readonly Row[] | null;
  readonly isMore: boolean;
  readonly isBusy: boolean;
  /** Why the last page failed, or why the current one takes so long. */
  readonly trouble: string;
}

const HELD_UP = "The server cannot load this list right now. Retrying every second…";

/** A list that grows page by page; loaded rows stay, even if the next page fails. */
export class Paged<Row> {
  private readonly current = signal<Pages<Row>>({ rows: null, isMore: true, isBusy: false, trouble: "" });
  readonly pages: ReadonlySignal<Pages<Row>> = this.current;
  private isWanted = true;

  constructor(private readonly fetch: (known: readonly Row[]) => Promise<Page<Row>>) {}

  /** Load the next page, unless it is loading. */
  async more(): Promise<void> {
    if (this.current.value.isBusy) return;
    const known = this.current.value.rows ?? [];
    this.change({ isBusy: true, trouble: "" });
    try {
      const { rows, isMore } = await retryTemporary(
        () => this.fetch(known),
        () => this.isWanted,
        () => this.change({ trouble: HELD_UP }),
      );
      this.change({ rows: [...known, ...rows], isMore, isBusy: false, trouble: "" });
    } catch (error) {
      this.change({ isBusy: false, trouble: inWords(error) });
    }
  }

  /** Stop: nobody looks at the list any more. */
  end(): void {
    this.isWanted = false;
  }

  private change(change: Partial<Pages<Row>>): void {
    this.current.value = { ...this.current.value, ...change };
  }
}
