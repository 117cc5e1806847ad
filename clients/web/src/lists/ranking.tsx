/** The best players of a game. */

import "./lists.css";

import { newRef } from "../client/backoff";
import type { RankingList, Rated } from "../generated/messages";
import type { Route } from "../routes";
import { games, session } from "../state";
import { GameTabs } from "./game_tabs";
import { More, usePaged } from "./paging";

export default function Ranking({ at }: { readonly at: Route }) {
  const game = (at.at === "ranking" ? at.game : null) ?? games.value[0]?.game ?? null;
  return (
    <main class="screen stack">
      <h1>Ranking</h1>
      <GameTabs at="ranking" game={game} isAll={false} />
      {game ? <Players key={game} game={game} /> : <div class="bone list-bone" aria-busy="true" />}
    </main>
  );
}

const SHOWN = 1000;

function shown(points: number): string {
  return (points / SHOWN).toFixed(1).replace("-", "−");
}

function Players({ game }: { readonly game: string }) {
  const paged = usePaged(async (known: readonly Rated[]) => {
    const request = { type: "ranking", ref: newRef(), game, offset: known.length } as const;
    const { players, size } = (await session.ask(request, true)) as RankingList;
    return { rows: players, isMore: known.length + players.length < size };
  });
  const players = paged.pages.value.rows;
  return (
    <>
      {players && players.length > 0 && <Table players={players} />}
      {players?.length === 0 && <p class="empty">No rated players yet. Finish a rated match to be the first.</p>}
      <More paged={paged} />
    </>
  );
}

function Table({ players }: { readonly players: readonly Rated[] }) {
  const own = session.welcome.value?.player;
  return (
    <div class="sheet scroll" tabindex={0} role="region" aria-label="Players">
      <table class="number ranking">
        <thead>
          <tr>
            <th>Place</th>
            <th>Player</th>
            <th>Score</th>
            <th>Skill</th>
            <th>Matches</th>
          </tr>
        </thead>
        <tbody>
          {players.map((each) => (
            <tr key={each.player} aria-current={each.player === own ? "true" : undefined}>
              <td>{each.place}</td>
              <td>
                {each.name} {each.bot && <span class="tag">bot</span>}{" "}
                {each.player === own && <span class="tag hot">you</span>}
              </td>
              <td>
                <b>{shown(each.score)}</b>
              </td>
              <td>
                {shown(each.skill)} ± {shown(each.uncertainty)}
              </td>
              <td>{each.matches}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
