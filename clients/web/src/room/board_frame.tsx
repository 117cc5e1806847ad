/** The board of a room, or its placeholder. */

import type { HTMLAttributes } from "preact";

import { loadBoard } from "../boards";
import type { BoardModule } from "../boards/board";
import { useFocusKept } from "../boards/orders";
import { showError } from "../state";
import { ErrorBoundary } from "../ui/error_boundary";
import { Missing } from "../ui/lazy";
import type { Match } from "./match";

interface Props extends HTMLAttributes<HTMLDivElement> {
  readonly match: Match;
}

/** Other attributes go to the frame. */
export function BoardPlace({ match, ...frame }: Props) {
  const place = useFocusKept<HTMLDivElement>();
  return (
    <div {...frame} data-board={match.table.value.game} ref={place}>
      <ErrorBoundary key={match.board.value} instead={<BrokenBoard match={match} />}>
        {within(match)}
      </ErrorBoundary>
    </div>
  );
}

/** Not a component: the frame, which inherits the focus of removed elements, must render whenever one may vanish. */
function within(match: Match) {
  const { room, steps } = match;
  const board = match.board.value;
  const moment = steps.moment.value;
  if (match.boardTrouble.value) {
    return (
      <>
        <Missing what="The board" />
        <p class="tiny quiet">{match.boardTrouble.value}</p>
      </>
    );
  }
  if (room.state.phase === "lobby") return <BeforeIt match={match} />;
  const delay = room.state.seat === null ? Number(room.state.about?.room_options.delay ?? 0) : 0;
  if (moment.public === null && delay > 0)
    return (
      <p class="empty">
        Spectators are {delay === 1 ? "a turn" : `${delay} turns`} behind. The match starts here soon.
      </p>
    );
  if (!board || moment.public === null) return <div class="bone board-bone" aria-busy="true" />;
  const refusal = match.refusal.value;
  return (
    <>
      <board.Board
        table={match.table.value}
        moment={moment}
        asked={match.asked.value}
        refusal={refusal}
        pace={steps.pace.value}
        play={(action, fields) => match.play(action, fields)}
        draft={match.draft.value.value}
        setDraft={(draft) => match.draft.set(draft)}
        memory={match.memory.value.value}
        setMemory={(memory) => match.memory.set(memory)}
      />
      {!board.showsRefusals && <div aria-live="assertive">{refusal && <p class="refusal">{refusal.text}</p>}</div>}
    </>
  );
}

/** The match continues, and the generic board can play any game. */
function BrokenBoard({ match }: { readonly match: Match }) {
  const change = (board: BoardModule): void => {
    match.draft.set(null); // the generic board may not understand it
    match.board.value = { ...board };
  };
  return (
    <Missing what="The board" why="A bug stopped it. The match continues.">
      <button type="button" class="button" onClick={() => void loadBoard("generic").then(change, showError)}>
        Continue without it
      </button>
    </Missing>
  );
}

/** While players wait, there is time to read the rules. */
function BeforeIt({ match }: { readonly match: Match }) {
  const Rules = match.board.value?.Rules;
  return (
    <div class="stack">
      <p class="empty">The board appears when the match starts.</p>
      {Rules && (
        <div class="waiting-rules">
          <ErrorBoundary instead={null}>
            <Rules table={match.table.value} />
          </ErrorBoundary>
        </div>
      )}
    </div>
  );
}
