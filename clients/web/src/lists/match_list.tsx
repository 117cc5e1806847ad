/** A list of finished matches, newest first. */

import "./lists.css";

import { type MatchSummary, newRef } from "warroom-client";
import { href } from "../routes";
import { gameName, session } from "../state";
import { counted } from "../ui/numbers";
import { ranking } from "../ui/standings";
import { useTicking } from "../ui/use_ticking";
import { More, usePaged } from "./paging";

const FULL_PAGE = 50;

interface ListProps {
  readonly game: string | null;
  readonly player: string | null;
  /** Show only this many. */
  readonly most?: number;
  /** The list reloads when this changes. */
  readonly version?: number;
}

export function MatchList({ game, player, most, version }: ListProps) {
  const paged = usePaged(async (known: readonly MatchSummary[]) => {
    const before = known.at(-1)?.room ?? null;
    const { matches } = await session.ask({ type: "matches", ref: newRef(), game, player, before }, true);
    return { rows: matches, isMore: matches.length === FULL_PAGE };
  }, version);
  const matches = paged.pages.value.rows;
  return (
    <>
      {matches && matches.length > 0 && <Rows matches={matches.slice(0, most)} isBrief={most !== undefined} />}
      {matches?.length === 0 && <p class="empty tiny">No finished matches yet.</p>}
      <More paged={paged} isWhole={most === undefined} />
    </>
  );
}

function Rows({ matches, isBrief }: { readonly matches: readonly MatchSummary[]; readonly isBrief: boolean }) {
  useTicking(MINUTE_MS);
  return (
    <ul class="list sheet wide-list">
      {matches.map((match) => (
        <li key={match.room}>
          <div>
            <b>{gameName(match.game)}</b>{" "}
            <span class="tiny quiet number">
              {!isBrief && `${counted(match.turns, "turn")} · `}
              <time dateTime={new Date(match.ended_ms).toISOString()}>{ago(match.ended_ms)}</time>
            </span>
            <div class="tiny">{ranking(match)}</div>
          </div>
          <a class="button small" href={href({ at: "replay", code: match.code, seat: null, step: null })}>
            Replay
          </a>
        </li>
      ))}
    </ul>
  );
}

const MINUTE_MS = 60_000;
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function ago(ms: number): string {
  const passed = Date.now() - ms;
  const [unit, size] = UNITS.find(([, each]) => passed >= each) ?? ["minute", MINUTE_MS];
  return passed < MINUTE_MS ? "just now" : relative.format(-Math.round(passed / size), unit);
}
