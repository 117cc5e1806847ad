/** Why a request or an action failed. */

/** The server refused it: *code* is stable, *detail* is for people. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** Return the refusal of a request to a room that is moving to another server. */
export function moving(detail = "the match moves to another server; try again in a moment"): Refused {
  return new Refused("room.moving", detail);
}

/** The connection broke before the answer, or is down: the outcome is unknown. */
export class Lost extends Error {}

const PASSING = new Set(["server.draining", "store.unavailable", "room.busy", "room.moving", "rules.unavailable"]);

/** Whether a retry may succeed a moment later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Refused && PASSING.has(error.code);
}

/** Return the text for a failure. */
export function inWords(error: unknown): string {
  if (error instanceof Refused) return sentence(error.detail || error.code);
  if (error instanceof Lost) return "Connection lost. Try again in a moment.";
  return error instanceof Error ? sentence(error.message) : String(error);
}

/** Return a server message as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed) return "";
  const ended = /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
