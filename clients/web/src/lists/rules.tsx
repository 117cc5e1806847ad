/** The rules of a game as a page. */

import "./lists.css";

import RulesPanel from "../room/rules";
import { type Route, useSubject } from "../routes";
import { catalogue, gameName, gameOf } from "../state";
import { DeadEnd } from "../ui/placeholders";

export default function Rules({ at }: { readonly at: Route }) {
  const game = at.at === "rules" ? at.game : "";
  useSubject(`Rules of ${gameName(game)}`);
  if (catalogue.value && !gameOf(game)) return <DeadEnd title="Game not found" />;
  return (
    <main class="screen stack rules-page">
      <h1>{gameName(game)}</h1>
      <RulesPanel key={game} game={game} table={null} isWhole />
    </main>
  );
}
