/** What somebody says in a room, from the first letter on. */

import { signal } from "@preact/signals";

import { inWords } from "../client/errors";

export class Talk {
  /** What is typed and has not been said. */
  readonly typed = signal("");
  /** Why the last line could not be said. */
  readonly trouble = signal("");

  constructor(private readonly send: (text: string) => Promise<unknown>) {}

  /** Change what is typed; why the last line could not be said has been read by then. */
  type(text: string): void {
    this.typed.value = text;
    this.trouble.value = "";
  }

  /** Say what is typed: it makes way for the next line at once, and comes back before that if it cannot be said. */
  async say(): Promise<void> {
    const said = this.typed.peek().trim();
    if (!said) return;
    this.typed.value = "";
    this.trouble.value = "";
    try {
      await this.send(said);
    } catch (error) {
      this.typed.value = [said, this.typed.peek()].filter(Boolean).join(" ");
      this.trouble.value = inWords(error);
    }
  }
}
