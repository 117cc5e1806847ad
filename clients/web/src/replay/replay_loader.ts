/** Loads finished matches: files part by part over the websocket, and the server's verification. */

import { newRef, parseInvitation, type ReplayPart, retryTemporary } from "warroom-client";
import { session } from "../state";

const TRIES = 10;

type Seen = "all" | "public" | "own";

/** Return the file of a match: complete, or as the public or own seat saw it; *tell* is called while it waits. */
export async function fetchReplay(code: string, view: Seen, tell?: () => void): Promise<Uint8Array<ArrayBuffer>> {
  let file = new Uint8Array(0);
  for (;;) {
    const reply = await fetchPart(code, view, file.length, tell);
    const grown = new Uint8Array(file.length + reply.data.length);
    grown.set(file);
    grown.set(reply.data, file.length);
    file = grown;
    if (file.length >= reply.size || reply.data.length === 0) return file;
  }
}

/** Whether this player took part in a match, so that the server has an own view. Fetches nothing of it. */
export function isOwnSeat(code: string): Promise<boolean> {
  return fetchPart(code, "own", Number.MAX_SAFE_INTEGER).then(
    () => true,
    () => false,
  );
}

async function fetchPart(code: string, view: Seen, offset: number, tell?: () => void): Promise<ReplayPart> {
  const found = parseInvitation(code);
  if (!found) throw new Error("This is not a room code.");
  let tries = 0;
  const ask = () => {
    tries += 1;
    return session.ask({ type: "replay", ref: newRef(), ...found, view, offset }, true);
  };
  const reply = await retryTemporary(ask, () => tries < TRIES, tell);
  return reply;
}

/** The server's result of running the rules again. */
export interface Verified {
  readonly accepted: boolean;
  readonly why?: string;
  readonly players?: readonly (string | null)[];
  readonly states?: readonly string[];
}

export function verifyPath(invitation: string): string {
  return `/api/replays/${encodeURIComponent(invitation)}/verify`;
}

export async function fetchVerified(invitation: string): Promise<Verified> {
  const answer = await fetch(verifyPath(invitation));
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return (await answer.json()) as Verified;
}
