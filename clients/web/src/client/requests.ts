/** The requests that wait for their reply. */

import type { ClientMessage, ServerMessage } from "../generated/messages";
import { Unanswered } from "./errors";

export type Request = ClientMessage & { readonly ref: number };

export interface Waiting {
  readonly message: Request;
  /** Whether it goes on waiting when the line breaks, and is sent again. */
  readonly survives: boolean;
  readonly resolve: (reply: ServerMessage) => void;
  readonly reject: (error: Error) => void;
}

export class Requests {
  private readonly waiting = new Map<number, Waiting>();

  add(waiting: Waiting): void {
    this.waiting.set(waiting.message.ref, waiting);
  }

  /** Return who waits for an answer, which is here. */
  take(ref: number): Waiting | undefined {
    const waiting = this.waiting.get(ref);
    this.waiting.delete(ref);
    return waiting;
  }

  /** All that wait, oldest first. */
  get all(): readonly Waiting[] {
    return [...this.waiting.values()];
  }

  /** Reject those that *isMeant* names. */
  fail(error: Error, isMeant: (waiting: Waiting) => boolean): void {
    for (const each of this.all) if (isMeant(each)) this.take(each.message.ref)?.reject(error);
  }

  /** Reject a request with `Unanswered` after so long, or later, if there is no line then that could bring an answer. */
  expire(ref: number, ms: number, isOpen: () => boolean): void {
    const timer = setTimeout(() => {
      if (isOpen()) this.take(ref)?.reject(new Unanswered());
      else if (this.waiting.has(ref)) this.expire(ref, ms, isOpen);
    }, ms);
    const waiting = this.waiting.get(ref);
    if (waiting) this.waiting.set(ref, { ...waiting, ...stopping(waiting, timer) });
    else clearTimeout(timer);
  }
}

/** Let the end of a request stop its timer. */
function stopping(
  { resolve, reject }: Waiting,
  timer: ReturnType<typeof setTimeout>,
): Omit<Waiting, "message" | "survives"> {
  return {
    resolve: (reply) => {
      clearTimeout(timer);
      resolve(reply);
    },
    reject: (error) => {
      clearTimeout(timer);
      reject(error);
    },
  };
}

/** Whether a message is one to enter a room. */
export function isEntry(message: ClientMessage, room: number): boolean {
  return (message.type === "join" || message.type === "watch") && message.room === room;
}

/** Whether a message needs that its sender is in a room. */
export function isInside(message: ClientMessage, room: number): boolean {
  return "room" in message && message.room === room && message.type !== "replay" && !isEntry(message, room);
}
