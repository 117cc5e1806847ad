/** The requests that wait for their reply. */

import type { ClientMessage, ServerMessage } from "../generated/messages";

export type Request = ClientMessage & { readonly ref: number };

export interface Waiting {
  readonly message: Request;
  /** Whether it goes on waiting when the line breaks, and is sent again. */
  readonly survives: boolean;
  readonly resolve: (reply: ServerMessage) => void;
  readonly reject: (error: Error) => void;
}

/** By ref, oldest first. */
export class Requests extends Map<number, Waiting> {
  /** Return who waits for an answer, which is here. */
  take(ref: number): Waiting | undefined {
    const waiting = this.get(ref);
    this.delete(ref);
    return waiting;
  }

  /** Reject those that *isMeant* names. */
  fail(error: Error, isMeant: (message: Request, survives: boolean) => boolean): void {
    for (const [ref, { message, survives }] of this) if (isMeant(message, survives)) this.take(ref)?.reject(error);
  }
}

/** Whether a message needs that its sender is in a room; with *isEntering* also whether it is one to enter it. */
export function isAbout(room: number, message: ClientMessage, isEntering = false): boolean {
  if (!("room" in message) || message.room !== room || message.type === "replay") return false;
  return isEntering || (message.type !== "join" && message.type !== "watch");
}
