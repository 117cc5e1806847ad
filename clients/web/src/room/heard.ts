/** What a board remembers of the steps of a match: it outlives a reload of the page, as nobody tells them again. */

import { signal } from "@preact/signals";

import { type Keep, steadyKeep } from "../client/identity";
import { safely } from "../ui/unbroken";

const ofTab = steadyKeep(() => sessionStorage);

/** Boards may come from anywhere, so that what they remember may be nothing, or nothing that can be kept. */
export class Heard {
  readonly value = signal<unknown>(null);
  private readonly name: string;

  constructor(
    code: string,
    private readonly keep: Keep = ofTab,
  ) {
    this.name = `warroom.heard.${code}`;
    this.value.value = safely(() => JSON.parse(keep.getItem(this.name) ?? "null"), null);
  }

  set(heard: unknown): void {
    if (heard === this.value.peek()) return;
    this.value.value = heard ?? null;
    safely(() => this.keep.setItem(this.name, JSON.stringify(this.value.peek())), undefined);
  }
}
