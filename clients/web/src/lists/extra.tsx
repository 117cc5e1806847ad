/** A page that a game brings beside its matches, such as a calculator. */

import { useEffect, useState } from "preact/hooks";

import { loadBoard } from "../boards";
import type { ExtraPage } from "../boards/board";
import type { Route } from "../routes";
import { complain } from "../state";

export default function Extra({ at }: { readonly at: Route }) {
  const [page, setPage] = useState<ExtraPage | null | undefined>(undefined);
  const game = at.at === "extra" ? at.game : "";
  const id = at.at === "extra" ? at.page : "";
  useEffect(() => {
    loadBoard(game)
      .then((board) => setPage(board.pages?.find((each) => each.id === id) ?? null))
      .catch(complain);
  }, [game, id]);
  if (page === undefined) return <main class="screen" aria-busy="true" />;
  if (page === null) {
    return (
      <main class="screen stack">
        <h1>There is no such page</h1>
        <p>
          <a href="#/">Back to the games</a>
        </p>
      </main>
    );
  }
  return (
    <main class="screen stack">
      <h1>{page.title}</h1>
      <page.Page />
    </main>
  );
}
