/** The chat input of a room. */

import { signal } from "@preact/signals";

import { inWords } from "../client/error_text";

export class ChatInput {
  /** The unsent text. */
  readonly typed = signal("");
  /** Why the last message failed. */
  readonly trouble = signal("");

  constructor(private readonly send: (text: string) => Promise<unknown>) {}

  /** Change the text, and clear the error. */
  type(text: string): void {
    this.typed.value = text;
    this.trouble.value = "";
  }

  /** Send the text: the input clears at once, and gets the text back if sending fails. */
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
