/** The badge of a replay: whether it is the match that was played. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { newRef } from "../client/backoff";
import { inWords, sentence } from "../client/errors";
import { session } from "../state";
import { parseInvitation, roomCode } from "../wire/codes";
import { fetchReplay, fetchVerified, type Verified, verifyPath } from "./fetching";
import type { ViewReplay } from "./file";
import { type Noted, notedSeal } from "./notes";
import { type Seal as Checked, checkProof, type Proof } from "./seal";

/** What could be found out about a match. */
interface Findings {
  readonly names: readonly (string | null)[];
  /** Whether the server, which has played it again, accepts it; null until it has. */
  readonly isAccepted: boolean | null;
  /** What the match is judged by; null until it has come. */
  readonly proof: Proof | null;
  /** Why that did not come: then nothing is known against the match. */
  readonly trouble: unknown;
}

export interface Checking extends Findings {
  again(): void;
}

/** Let the server run the rules again, and fetch what the page computes the chain from: once, whoever looks on. */
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
      () => undefined, // which the proof tells
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

/** The names by seat, if need be from the list of finished matches: one that is not revealed yet is in it, too. */
async function namesOf(code: string, verified: Promise<Verified>): Promise<readonly (string | null)[]> {
  const found = await verified.catch(() => null);
  if (found?.players) return found.players;
  const room = parseInvitation(code)?.room;
  const reply = await session.ask({ type: "matches", ref: newRef() }, true).catch(() => null);
  const match = reply?.type === "matches" ? reply.matches.find((each) => each.room === room) : undefined;
  return match?.players.map((player) => player.name) ?? [];
}

interface Props {
  readonly checking: Checking;
  readonly code: string;
  readonly replay: ViewReplay;
}

export function Seal({ checking, code, replay }: Props) {
  const { proof, trouble, isAccepted, again } = checking;
  const { commitment } = replay.about;
  const { seed, chain } = replay.ended;
  const noted = notedSeal(roomCode(replay.room));
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
            <li>The seed is the one that was committed to before anyone sat down.</li>
            <li>
              The chain of SHA-256 over all {checked.entries} entries was computed in this page, and ends as it should.
            </li>
            <li>{witness(noted)}</li>
          </ul>
        )}
        {checked && !checked.isWhole && <p>{sentence(checked.why)}</p>}
        {!checked && (
          <>
            <p role="status">{trouble ? inWords(trouble) : "Being checked…"}</p>
            {/* There all the while, so that whoever presses it keeps the focus. */}
            <p>
              <button type="button" class="button small" aria-disabled={!trouble} onClick={() => trouble && again()}>
                Try again
              </button>
            </p>
          </>
        )}
        <p>
          This page does not run the rules: what the board shows is the server’s reading of these entries.{" "}
          {isAccepted !== null &&
            `The server has played it again by the rules, and ${isAccepted ? "accepts" : "rejects"} it. `}
          <a href={verifyPath(code)} target="_blank" rel="noreferrer">
            What the server finds, for programs
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

/** What this browser can say besides: only what it was shown before can be held against what it is shown now. */
function witness(noted: Noted | null): string {
  if (noted?.chain) return "Commitment and chain are those that this browser was shown during the match.";
  if (noted)
    return "The commitment is the one that this browser was shown; it was gone before the end, so it knows the chain from the server alone.";
  return "This browser was not in the match, so it knows commitment and chain from the server alone.";
}

/** The tone and the words of the badge: a match that could not be looked at is not called a false one. */
function badge(checked: Checked | null, trouble: unknown): readonly [string, string] {
  if (checked) return checked.isWhole ? ["good", "✓ sealed"] : ["hot", "✗ not as it was played"];
  return trouble ? ["warn", "could not be checked"] : ["", "checking…"];
}
