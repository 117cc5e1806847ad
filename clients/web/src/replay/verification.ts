/**
 * Verifies that a replay is the match as played, by the committed seed and the hash chain over all entries.
 *
 * Each link is the SHA-256 of the previous link, the entry and, at turns, at the end and every 16th entry, the hash of
 * the resulting state. The page cannot run the rules, so the server sends these hashes; a false one would break the
 * chain, whose end everybody saw.
 */

import { decode } from "warroom-client/wire";
import type { SavedHashes } from "./saved_hashes";
import { hex, sha256, unhex } from "./sha256";

/** The magic bytes of the only version. */
const MAGIC = "WARROOM\n\x02";

/** What everybody saw: the commitment on entry, seed and chain at the end. */
export interface Shown {
  readonly commitment: string;
  readonly seed: string;
  readonly chain: string;
}

export type Verification =
  | { readonly isWhole: true; readonly entries: number }
  | { readonly isWhole: false; readonly why: string };

/** The evidence of a match: its file and per entry the state hash (hex; "": not covered), or why the server rejects it. */
export type Proof = { readonly file: Uint8Array; readonly states: readonly string[] } | { readonly why: string };

/** Verify a match by what is shown now and what this browser saved during it. */
export function checkProof(proof: Proof, shown: Shown, saved: SavedHashes | null): Verification {
  if ("why" in proof) return broken(proof.why);
  if (saved && saved.commitment !== shown.commitment)
    return broken("the commitment differs from the one this browser saw");
  if (saved?.chain && saved.chain !== shown.chain) return broken("the chain differs from the one this browser saw");
  try {
    return checkFile(proof.file, proof.states, shown);
  } catch {
    return broken("the replay file is damaged");
  }
}

function broken(why: string): Verification {
  return { isWhole: false, why };
}

/** Verify a complete match file; throw if it cannot be read. */
function checkFile(file: Uint8Array, states: readonly string[], shown: Shown): Verification {
  if (new TextDecoder().decode(file.subarray(0, MAGIC.length)) !== MAGIC) return broken("this is not a replay file");
  const body = decode(file.subarray(MAGIC.length)) as [Uint8Array, [Uint8Array, Uint8Array][]];
  const [commitment, links] = body;
  const [first] = links;
  if (!first) return broken("the match has no entries");
  if (hex(commitment) !== shown.commitment) return broken("the commitment differs from the one shown at the start");
  if (hex(sha256(unhex(shown.seed))) !== shown.commitment) return broken("the seed does not match the commitment");
  if (hex(seedOf(first[0])) !== shown.seed) return broken("the match was played with another seed");
  if (states.length !== links.length) return broken("the numbers of states and entries differ");
  let chain: Uint8Array = new Uint8Array(32);
  for (const [index, [entry, link]] of links.entries()) {
    decode(entry); // throws unless it is one whole value, so no byte of a state hash can pass for a part of it
    chain = sha256(chain, entry, unhex(states[index] ?? ""));
    if (hex(chain) !== hex(link)) return broken(`the chain breaks at entry ${index + 1}`);
  }
  if (hex(chain) !== shown.chain) return broken("the chain differs from the one shown at the end");
  return { isWhole: true, entries: links.length };
}

/** The first entry contains the seed. */
function seedOf(entry: Uint8Array): Uint8Array {
  const row = decode(entry) as unknown[];
  const seed = row.find((field) => field instanceof Uint8Array && field.length === 16);
  return seed instanceof Uint8Array ? seed : new Uint8Array();
}
