/** Finished matches, newest first, each with its replay. */

import { useState } from "preact/hooks";

import type { Route } from "../routes";
import { session } from "../state";
import { GameTabs } from "./game_tabs";
import { MatchList } from "./match_list";

export default function Matches({ at }: { readonly at: Route }) {
  const game = at.at === "matches" ? at.game : null;
  const [isMine, setMine] = useState(false);
  const player = isMine ? (session.welcome?.player ?? "") : null;
  return (
    <main class="screen stack">
      <h1>Finished matches</h1>
      <div class="row apart">
        <GameTabs to={(chosen) => ({ at: "matches", game: chosen })} game={game} />
        <label class="check">
          <input type="checkbox" checked={isMine} onChange={(event) => setMine(event.currentTarget.checked)} />
          <span>only my matches</span>
        </label>
      </div>
      <MatchList key={`${game} ${player}`} game={game} player={player} />
    </main>
  );
}
