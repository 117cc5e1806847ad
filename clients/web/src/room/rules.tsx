/** The rules beside the board: what the board's own module shows, or the rules page of the game. */

import { useEffect, useState } from "preact/hooks";

import { loadBoard } from "../boards";
import type { BoardModule, Table } from "../boards/board";
import { gameOf } from "../state";
import { Markdown } from "../ui/markdown";

interface Props {
  readonly game: string;
  readonly table: Table | null;
  /** Whether all of it is shown at once, as there is room for it. */
  readonly isWhole?: boolean;
}

export default function RulesPanel({ game, table, isWhole = false }: Props) {
  const [board, setBoard] = useState<BoardModule | null>(null);
  useEffect(() => {
    loadBoard(game)
      .then(setBoard)
      .catch(() => undefined);
  }, [game]);
  if (!board) return <div class="bone list-bone" />;
  return (
    <div class="rules">
      <p class="quiet">{gameOf(game)?.summary}</p>
      {board.Rules && <board.Rules table={table} />}
      <RulesPage game={game} isOpen={isWhole || !board.Rules} />
    </div>
  );
}

function RulesPage({ game, isOpen }: { readonly game: string; readonly isOpen: boolean }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    fetch(`/api/rules/${encodeURIComponent(game)}`)
      .then((answer) => (answer.ok ? answer.text() : ""))
      .then(setText)
      .catch(() => setText(""));
  }, [game]);
  if (text === null) return <div class="bone list-bone" />;
  if (!text) return <p class="quiet">No rules page came with this game.</p>;
  return (
    <details open={isOpen}>
      <summary>The whole rules</summary>
      <Markdown text={text} />
    </details>
  );
}
