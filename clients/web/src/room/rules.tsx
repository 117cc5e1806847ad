/** The rules beside the board: the board's own panel, or the rules page of the game. */

import { useEffect, useState } from "preact/hooks";

import { loadBoard } from "../boards";
import type { BoardModule, Table } from "../boards/board";
import { loadPresentation } from "../boards/presentation";
import { gameOf } from "../state";
import { ErrorBoundary } from "../ui/error_boundary";
import { Missing } from "../ui/lazy";
import { Markdown } from "../ui/markdown";

interface Props {
  readonly game: string;
  readonly table: Table | null;
  /** Whether to show everything at once, if there is room. */
  readonly isWhole?: boolean;
}

export default function RulesPanel({ game, table, isWhole = false }: Props) {
  const [board, setBoard] = useState<BoardModule | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    loadBoard(game)
      .then(setBoard)
      .catch(() => setMissing(true));
  }, [game]);
  if (isMissing) return <Missing />;
  if (!board) return <div class="bone list-bone" />;
  return (
    <div class="rules">
      <p class="quiet">{gameOf(game)?.summary}</p>
      <ErrorBoundary instead={null}>{board.Rules && <board.Rules table={table} />}</ErrorBoundary>
      <RulesPage game={game} isOpen={isWhole || !board.Rules} />
    </div>
  );
}

function RulesPage({ game, isOpen }: { readonly game: string; readonly isOpen: boolean }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    rulesOf(game)
      .then(setText)
      .catch(() => setText(""));
  }, [game]);
  if (text === null) return <div class="bone list-bone" />;
  if (!text) return <p class="quiet">This game has no rules page.</p>;
  return (
    <details open={isOpen}>
      <summary>Full rules</summary>
      <Markdown text={text} />
    </details>
  );
}

/** Load the rules page of a game; empty if it has none. */
async function rulesOf(game: string): Promise<string> {
  const { rules } = await loadPresentation(game);
  if (!rules) return "";
  const answer = await fetch(rules);
  return answer.ok ? answer.text() : "";
}
