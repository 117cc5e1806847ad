/** The verification badge of a replay. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { newRef, parseInvitation, roomCode } from "warroom-client";
import { inWords, sentence } from "../client/error_text";
import { session } from "../state";
import type { ViewReplay } from "./file";
import { fetchReplay, fetchVerified, type Verified, verifyPath } from "./replay_loader";
import { type SavedHashes, savedHashes } from "./saved_hashes";
import { type Verification as Checked, checkProof, type Proof } from "./verification";

/** What is known about the validity of a match. */
interface Findings {
  readonly names: readonly (string | null)[];
  /** Whether the server's rerun accepts the match; null until it is known. */
  readonly isAccepted: boolean | null;
  /** The evidence of the match; null until it arrives. */
  readonly proof: Proof | null;
  /** Why the evidence did not arrive; then nothing is known against the match. */
  readonly trouble: unknown;
}

export interface Checking extends Findings {
  again(): void;
}

/** Let the server run the rules again, and load the evidence for the chain; once, for all viewers. */
export function useChecking(code: string): Checking {
  const [found, setFound] = useState<Findings>({ names: [], isAccepted: null, proof: null, trouble: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isWanted = true;
    const add = (news: Partial<Findings>): void => {
      if (isWanted) setFound((known) => ({ ...known, ...news }));
    };
    add({ trouble: null });
    const verified = fetchVerified(code);
    void namesOf(code, verified).then((names) => add({ names }));
    verified.then(
      ({ accepted }) => add({ isAccepted: accepted }),
      () => undefined, // reported by the proof
    );
    proofOf(code, verified).then(
      (proof) => add({ proof }),
      (trouble: unknown) => add({ trouble }),
    );
    return () => {
      isWanted = false;
    };
  }, [code, round]);
  return { ...found, again: () => setRound(round + 1) };
}

async function proofOf(code: string, verified: Promise<Verified>): Promise<Proof> {
  const { accepted, why = "the server rejects it", states = [] } = await verified;
  return accepted ? { states, file: await fetchReplay(code, "all") } : { why };
}

/** The names by seat, from the match list if necessary, which also has matches not revealed yet. */
async function namesOf(code: string, verified: Promise<Verified>): Promise<readonly (string | null)[]> {
  const found = await verified.catch(() => null);
  if (found?.players) return found.players;
  const room = parseInvitation(code)?.room;
  const reply = await session.ask({ type: "matches", ref: newRef() }, true).catch(() => null);
  const match = reply?.matches.find((each) => each.room === room);
  return match?.players.map((player) => player.name) ?? [];
}

interface Props {
  readonly checking: Checking;
  readonly code: string;
  readonly replay: ViewReplay;
}

export function VerificationBadge({ checking, code, replay }: Props) {
  const { proof, trouble, isAccepted, again } = checking;
  const { commitment } = replay.about;
  const { seed, chain } = replay.ended;
  const noted = savedHashes(roomCode(replay.room));
  const checked = useMemo(
    () => proof && checkProof(proof, { commitment, seed, chain }, noted),
    [proof, commitment, seed, chain],
  );
  const [tone, label] = badge(checked, trouble);
  return (
    <details class="seal">
      <summary class={`tag ${tone}`}>{label}</summary>
      <div class="sheet pad stack tight">
        {checked?.isWhole && (
          <ul class="ticked">
            <li>The seed matches the commitment made before anyone sat down.</li>
            <li>This page computed the SHA-256 chain over all {checked.entries} entries, and it matches.</li>
            <li>{seenHere(noted)}</li>
          </ul>
        )}
        {checked && !checked.isWhole && <p>{sentence(checked.why)}</p>}
        {!checked && (
          <>
            <p role="status">{trouble ? inWords(trouble) : "Checking…"}</p>
            {/* Always present, so that it keeps the focus after it is pressed. */}
            <p>
              <button type="button" class="button small" aria-disabled={!trouble} onClick={() => trouble && again()}>
                Try again
              </button>
            </p>
          </>
        )}
        <p>
          This page does not run the rules; the board shows the states that the server sent.{" "}
          {isAccepted !== null &&
            `The server replayed the match by the rules and ${isAccepted ? "accepts" : "rejects"} it. `}
          <a href={verifyPath(code)} target="_blank" rel="noreferrer">
            Server report (JSON)
          </a>
        </p>
        <dl class="hashes tiny">
          <dt>commitment</dt>
          <dd>
            <code>{commitment}</code>
          </dd>
          <dt>chain</dt>
          <dd>
            <code>{chain}</code>
          </dd>
        </dl>
      </div>
    </details>
  );
}

/** What this browser's own notes prove: only values seen before can be compared with those of now. */
function seenHere(noted: SavedHashes | null): string {
  if (noted?.chain) return "Commitment and chain match those this browser saw during the match.";
  if (noted)
    return "The commitment matches the one this browser saw. It left before the end, so the chain comes from the server alone.";
  return "This browser was not in the match, so commitment and chain come from the server alone.";
}

/** Tone and text of the badge: an unverified match is not called a false one. */
function badge(checked: Checked | null, trouble: unknown): readonly [string, string] {
  if (checked) return checked.isWhole ? ["good", "✓ verified"] : ["hot", "✗ verification failed"];
  return trouble ? ["warn", "not verified"] : ["", "verifying…"];
}
