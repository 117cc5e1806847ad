/** The rules of a game on a page of their own. */

import RulesPanel from "../room/rules";
import { type Route, useSubject } from "../routes";
import { catalogue, gameName, gameOf } from "../state";

export default function Rules({ at }: { readonly at: Route }) {
  const game = at.at === "rules" ? at.game : "";
  useSubject(`Rules of ${gameName(game)}`);
  if (catalogue.value && !gameOf(game)) {
    return (
      <main class="screen stack">
        <h1>There is no such game</h1>
        <p>
          <a class="button" href="#/">
            Back to the games
          </a>
        </p>
      </main>
    );
  }
  return (
    <main class="screen stack rules-page">
      <h1>{gameName(game)}</h1>
      <RulesPanel key={game} game={game} table={null} isWhole />
    </main>
  );
}
