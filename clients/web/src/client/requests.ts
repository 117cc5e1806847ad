/** Requests that wait for a reply. */

import type { ClientMessage, ServerMessage } from "../generated/messages";

export type Request = ClientMessage & { readonly ref: number };

export interface Waiting {
  readonly message: Request;
  /** Whether it keeps waiting and is sent again after a break. */
  readonly survives: boolean;
  readonly resolve: (reply: ServerMessage) => void;
  readonly reject: (error: Error) => void;
}

/** Requests by ref, oldest first. */
export class Requests extends Map<number, Waiting> {
  /** Remove and return the request that was answered. */
  take(ref: number): Waiting | undefined {
    const waiting = this.get(ref);
    this.delete(ref);
    return waiting;
  }

  /** Reject the requests selected by *isMeant*. */
  fail(error: Error, isMeant: (message: Request, survives: boolean) => boolean): void {
    for (const [ref, { message, survives }] of this) if (isMeant(message, survives)) this.take(ref)?.reject(error);
  }
}

/** Whether a message must be sent from inside a room; with *isEntering*, also whether it enters that room. */
export function isAbout(room: number, message: ClientMessage, isEntering = false): boolean {
  if (!("room" in message) || message.room !== room || message.type === "replay") return false;
  return isEntering || (message.type !== "join" && message.type !== "watch");
}
