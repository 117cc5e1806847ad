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
    this.name = `warroom.memory.${code}`;
    this.value.value = safely(() => JSON.parse(store.getItem(this.name) ?? "null"), null);
  }

  set(memory: unknown): void {
    if (memory === this.value.peek()) return;
    this.value.value = memory ?? null;
    safely(() => this.store.setItem(this.name, JSON.stringify(this.value.peek())), undefined);
  }
}
