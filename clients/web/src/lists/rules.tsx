/** The rules of a game on a page of their own. */

import { RulesPanel } from "../room/rules";
import type { Route } from "../routes";
import { gameName } from "../state";

export default function Rules({ at }: { readonly at: Route }) {
  if (at.at !== "rules") return null;
  return (
    <main class="screen stack rules-page">
      <h1>{gameName(at.game)}</h1>
      <RulesPanel key={at.game} game={at.game} table={null} />
    </main>
  );
}
