/** Fetches finished matches: files part by part over the line, and what the server finds when it plays one again. */

import { newRef, patiently } from "../client/backoff";
import type { ReplayPart } from "../generated/messages";
import { session } from "../state";
import { parseInvitation } from "../wire/codes";

const TRIES = 10;

type Seen = "all" | "public" | "own";

/** Return the file of a match: all of it, or what the public or the own seat saw; *tell* is called when it has to wait. */
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

/** Whether whoever sits here played in a match: then the server has what the own seat saw. Nothing of it is fetched. */
export function isOwnSeat(code: string): Promise<boolean> {
  return fetchPart(code, "own", Number.MAX_SAFE_INTEGER).then(
    () => true,
    () => false,
  );
}

async function fetchPart(code: string, view: Seen, offset: number, tell?: () => void): Promise<ReplayPart> {
  const found = parseInvitation(code);
  if (!found) throw new Error("This is no code of a room.");
  let tries = 0;
  const ask = () => {
    tries += 1;
    return session.ask({ type: "replay", ref: newRef(), ...found, view, offset }, true);
  };
  const reply = await patiently(ask, () => tries < TRIES, tell);
  if (reply.type !== "replay") throw new Error("the server answered something else");
  return reply;
}

/** What the server found when it ran the rules again. */
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
