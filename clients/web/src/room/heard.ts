/** The board's memory of a match; it survives reloads, because the steps are not sent again. */

import { signal } from "@preact/signals";

import { type Keep, steadyKeep } from "../client/identity";
import { safely } from "../ui/unbroken";

const ofTab = steadyKeep(() => sessionStorage);

/** Boards may be third-party code, so their memory may be missing or impossible to store. */
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
