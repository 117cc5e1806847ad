/** The board's memory of a match; it survives reloads, because the steps are not sent again. */

import { signal } from "@preact/signals";

import { type KeyValueStore, resilientStore } from "../client/identity";
import { safely } from "../ui/error_boundary";

const ofTab = resilientStore(() => sessionStorage);

/** Boards may be third-party code, so their memory may be missing or impossible to store. */
export class BoardMemory {
  readonly value = signal<unknown>(null);
  private readonly name: string;

  constructor(
    code: string,
    private readonly store: KeyValueStore = ofTab,
  ) {
    this.name = `warroom.heard.${code}`;
    this.value.value = safely(() => JSON.parse(store.getItem(this.name) ?? "null"), null);
  }

  set(heard: unknown): void {
    if (heard === this.value.peek()) return;
    this.value.value = heard ?? null;
    safely(() => this.store.setItem(this.name, JSON.stringify(this.value.peek())), undefined);
  }
}
