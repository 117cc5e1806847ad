/** What a board remembers of the steps of a match: it outlives a reload of the page, as nobody tells them again. */

import { signal } from "@preact/signals";

import { type Keep, steadyKeep } from "../client/identity";

const ofTab = steadyKeep(() => sessionStorage);

export class Heard {
  readonly value = signal<unknown>(null);
  private readonly name: string;

  constructor(
    code: string,
    private readonly keep: Keep = ofTab,
  ) {
    this.name = `warroom.heard.${code}`;
    this.value.value = JSON.parse(keep.getItem(this.name) ?? "null");
  }

  set(heard: unknown): void {
    if (heard === this.value.peek()) return;
    this.value.value = heard;
    this.keep.setItem(this.name, JSON.stringify(heard));
  }
}
