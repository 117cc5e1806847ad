/** Errors in words. */

import { DisconnectedError, RejectedError } from "warroom-client";

/** Return the text for a failure. */
export function inWords(error: unknown): string {
  if (error instanceof RejectedError) return sentence(error.detail || error.code);
  if (error instanceof DisconnectedError && error.code === "client.disconnected")
    return "Connection lost. Try again in a moment.";
  return error instanceof Error ? sentence(error.message) : String(error);
}

/** Return a server message as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed) return "";
  const ended = /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
