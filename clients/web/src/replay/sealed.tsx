/** The badge of a replay: whether it is the match that was played. */

import { useEffect, useState } from "preact/hooks";
import { newRef } from "../client/backoff";
import { inWords } from "../client/errors";
import { session } from "../state";
import { parseInvitation, roomCode } from "../wire/codes";
import { fetchReplay, fetchVerified, verifyPath } from "./fetching";
import type { ViewReplay } from "./file";
import { type Noted, notedSeal } from "./notes";
import { type Seal as Checked, checkSeal } from "./seal";

export interface VerifiedState {
  readonly names: readonly (string | null)[];
  readonly states: readonly string[] | null;
  readonly trouble: string | null;
}

const NOTHING: VerifiedState = { names: [], states: null, trouble: null };

/** Let the server run the rules again: it knows the names, and the hash of each state. */
export function useVerified(code: string): VerifiedState {
  const [state, setState] = useState<VerifiedState>(NOTHING);
  useEffect(() => {
    let isWanted = true;
    fetchVerified(code)
      .then((found) => {
        if (!isWanted) return;
        const names = found.players ?? [];
        setState({ names, states: found.states ?? null, trouble: found.accepted ? null : (found.why ?? "rejected") });
      })
      .catch(async (error: unknown) => {
        const names = await listedNames(code);
        if (isWanted) setState({ names, states: null, trouble: inWords(error) });
      });
    return () => {
      isWanted = false;
    };
  }, [code]);
  return state;
}

/** The names by seat, from the list of finished matches: a match that is not revealed yet is in it, too. */
async function listedNames(code: string): Promise<readonly (string | null)[]> {
  const room = parseInvitation(code)?.room;
  const reply = await session.ask({ type: "matches", ref: newRef() }, true).catch(() => null);
  const match = reply?.type === "matches" ? reply.matches.find((each) => each.room === room) : undefined;
  return match?.players.map((player) => player.name) ?? [];
}

interface Props {
  readonly verified: VerifiedState;
  readonly code: string;
  readonly replay: ViewReplay;
}

export function Seal({ verified, code, replay }: Props) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const { states } = verified;
  useEffect(() => {
    if (!states) return;
    const found = parseInvitation(code);
    if (!found) return;
    fetchReplay(found.room, "all", found.key)
      .then((file) => setChecked(check(file, states, replay)))
      .catch((error: unknown) => setChecked({ isWhole: false, why: inWords(error) }));
  }, [states, code, replay]);
  const noted = notedSeal(roomCode(replay.room));
  return (
    <details class="seal">
      <summary class={tone(checked, verified)}>{label(checked, verified)}</summary>
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
        {checked && !checked.isWhole && <p>{checked.why}</p>}
        {!checked && <p>{verified.trouble ?? "Being checked…"}</p>}
        <p>
          <a href={verifyPath(code)}>Let the server play it again</a> by the rules and say what it finds.
        </p>
        <dl class="hashes tiny">
          <dt>commitment</dt>
          <dd>
            <code>{replay.about.commitment}</code>
          </dd>
          <dt>chain</dt>
          <dd>
            <code>{replay.ended.chain}</code>
          </dd>
        </dl>
      </div>
    </details>
  );
}

function check(file: Uint8Array, states: readonly string[], replay: ViewReplay): Checked {
  const { commitment } = replay.about;
  const { seed, chain } = replay.ended;
  const noted = notedSeal(roomCode(replay.room));
  if (noted && noted.commitment !== commitment) return { isWhole: false, why: "You were shown another commitment." };
  if (noted?.chain && noted.chain !== chain) return { isWhole: false, why: "You were shown another chain." };
  return checkSeal(file, states, { commitment, seed, chain });
}

/** What this browser can say besides: only what it was shown before can be held against what it is shown now. */
function witness(noted: Noted | null): string {
  if (noted?.chain) return "Commitment and chain are those that this browser was shown during the match.";
  if (noted)
    return "The commitment is the one that this browser was shown; it was gone before the end, so it knows the chain from the server alone.";
  return "This browser was not in the match, so it knows commitment and chain from the server alone.";
}

function tone(checked: Checked | null, verified: VerifiedState): string {
  if (checked) return checked.isWhole ? "tag good" : "tag hot";
  return verified.trouble ? "tag warn" : "tag";
}

function label(checked: Checked | null, verified: VerifiedState): string {
  if (checked) return checked.isWhole ? "✓ sealed" : "✗ not as it was played";
  return verified.trouble ? "not checked" : "checking…";
}
