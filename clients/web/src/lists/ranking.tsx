/** The best players of a game. */

import { useEffect, useState } from "preact/hooks";

import { newRef } from "../client/backoff";
import { inWords } from "../client/errors";
import type { Rated } from "../generated/messages";
import type { Route } from "../routes";
import { games, session } from "../state";
import { GameTabs } from "./tabs";

export default function Ranking({ at }: { readonly at: Route }) {
  const game = (at.at === "ranking" ? at.game : null) ?? games.value[0]?.game ?? null;
  return (
    <main class="screen stack">
      <h1>Ranking</h1>
      <GameTabs at="ranking" game={game} isAll={false} />
      {game && <Players key={game} game={game} />}
    </main>
  );
}

const SHOWN = 1000;

function Players({ game }: { readonly game: string }) {
  const [players, setPlayers] = useState<readonly Rated[] | null>(null);
  const [size, setSize] = useState(0);
  const [trouble, setTrouble] = useState("");
  const isWelcome = session.welcome.value !== null;
  const own = session.welcome.value?.player;
  const read = (known: readonly Rated[]): void => {
    session
      .ask({ type: "ranking", ref: newRef(), game, offset: known.length }, true)
      .then((reply) => {
        if (reply.type !== "ranking") return;
        setPlayers([...known, ...reply.players]);
        setSize(reply.size);
      })
      .catch((error: unknown) => setTrouble(inWords(error)));
  };
  useEffect(() => {
    if (isWelcome) read([]);
  }, [isWelcome]);
  if (trouble) return <p class="empty">{trouble}</p>;
  if (!players) return <div class="bone list-bone" />;
  if (!players.length)
    return <p class="empty">Nobody is rated yet. A rated match against somebody else changes that.</p>;
  return (
    <>
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
                  <b>{(each.score / SHOWN).toFixed(1)}</b>
                </td>
                <td>
                  {(each.skill / SHOWN).toFixed(1)} ± {(each.uncertainty / SHOWN).toFixed(1)}
                </td>
                <td>{each.matches}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {players.length < size && (
        <button type="button" class="button" onClick={() => read(players)}>
          More
        </button>
      )}
    </>
  );
}
