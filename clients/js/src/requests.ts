/** Requests that wait for a reply. */

import { InputError } from "./errors.js";
import type { ClientMessage, Replies, ServerMessage } from "./generated/messages.js";

export type Request = ClientMessage & { readonly ref: number };

/** The reply to a request. */
export type ReplyTo<Message extends { readonly type: string }> = Replies[Message["type"] & keyof Replies];

/** A message without some of its fields, which someone else fills in. */
export type Without<Message, Fields extends string> = Message extends unknown ? Omit<Message, Fields> : never;

/** The requests of an entered room. */
export type RoomRequest = Without<
  Extract<ClientMessage, { type: "start" | "fill" | "kick" | "resign" | "reclaim" | "offer" | "say" | "mute" }>,
  "ref" | "room"
>;

/** Requests that change nothing, so that they may be sent twice. */
const QUESTIONS = ["games", "rooms", "older", "matches", "replay", "ranking", "ping"] as const;

export type Question = Extract<Request, { type: (typeof QUESTIONS)[number] }>;

/** Throw `InputError` for a request that is no question. */
export function checkQuestion({ type }: { readonly type: string }): void {
  if (!(QUESTIONS as readonly string[]).includes(type))
    throw new InputError(`client.ask does not send ${type}, only ${QUESTIONS.join(", ")}`);
}

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
