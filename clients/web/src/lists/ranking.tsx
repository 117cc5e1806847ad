/** The best players of a game, and its best bots. */

import "./lists.css";

import { newRef, type Rated } from "warroom-client";
import { href, type Route } from "../routes";
import { games, session } from "../state";
import { GameTabs } from "./game_tabs";
import { More, usePaged } from "./paging";

export default function Ranking({ at }: { readonly at: Route }) {
  const game = (at.at === "ranking" ? at.game : null) ?? games.value[0]?.game ?? null;
  const isOfBots = at.at === "ranking" && at.isOfBots;
  return (
    <main class="screen stack">
      <h1>Ranking</h1>
      <GameTabs to={(chosen) => ({ at: "ranking", game: chosen, isOfBots })} game={game} isAll={false} />
      <Ladders game={game} isOfBots={isOfBots} />
      {game ? (
        <Players key={`${game} ${isOfBots}`} game={game} isOfBots={isOfBots} />
      ) : (
        <div class="bone list-bone" aria-busy="true" />
      )}
    </main>
  );
}

/** Selects the ranking of people, or that of matches between bots alone. */
function Ladders({ game, isOfBots }: { readonly game: string | null; readonly isOfBots: boolean }) {
  return (
    <nav class="row" aria-label="Ladders">
      {[false, true].map((each) =>
        game ? (
          <a
            key={String(each)}
            class="button small"
            href={href({ at: "ranking", game, isOfBots: each })}
            aria-current={each === isOfBots ? "true" : undefined}
          >
            {each ? "Bots" : "People"}
          </a>
        ) : (
          <span key={String(each)} class="button small bone tab-bone" />
        ),
      )}
    </nav>
  );
}

const SHOWN = 1000;

function shown(points: number): string {
  return (points / SHOWN).toFixed(1).replace("-", "−");
}

function Players({ game, isOfBots }: { readonly game: string; readonly isOfBots: boolean }) {
  const paged = usePaged(async (known: readonly Rated[]) => {
    const request = { type: "ranking", ref: newRef(), game, offset: known.length, bots: isOfBots } as const;
    const { players, size } = await session.ask(request, true);
    return { rows: players, isMore: known.length + players.length < size };
  });
  const players = paged.pages.value.rows;
  return (
    <>
      {players && players.length > 0 && <Table players={players} isOfBots={isOfBots} />}
      {players?.length === 0 && (
        <p class="empty">
          {isOfBots
            ? "No rated bots yet. Matches between bots alone count here."
            : "No rated players yet. Finish a rated match to be the first."}
        </p>
      )}
      <More paged={paged} />
    </>
  );
}

function Table({ players, isOfBots }: { readonly players: readonly Rated[]; readonly isOfBots: boolean }) {
  const own = session.welcome?.player;
  return (
    <div class="sheet scroll" tabindex={0} role="region" aria-label={isOfBots ? "Bots" : "Players"}>
      <table class="number ranking">
        <thead>
          <tr>
            <th>Place</th>
            <th>{isOfBots ? "Bot" : "Player"}</th>
            <th>Score</th>
            <th>Skill</th>
            <th>Matches</th>
          </tr>
        </thead>
        <tbody>
          {players.map((each) => (
            <tr key={`${each.player} ${each.bot}`} aria-current={each.player === own ? "true" : undefined}>
              <td>{each.place}</td>
              <td>
                {each.name} {each.bot && <span class="tag">{each.bot === each.name ? "bot" : each.bot}</span>}{" "}
                {each.player === own && <span class="tag hot">{isOfBots ? "yours" : "you"}</span>}
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
