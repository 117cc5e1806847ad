/** The board of a room, or what stands in its place while there is none. */

import type { HTMLAttributes } from "preact";

import { loadBoard } from "../boards";
import type { BoardModule } from "../boards/board";
import { useFocusKept } from "../boards/orders";
import { complain } from "../state";
import { Missing } from "../ui/lazy";
import { Unbroken } from "../ui/unbroken";
import type { Match } from "./match";

interface Props extends HTMLAttributes<HTMLDivElement> {
  readonly match: Match;
}

/** What else is given is for the frame. */
export function BoardPlace({ match, ...frame }: Props) {
  const place = useFocusKept<HTMLDivElement>();
  return (
    <div {...frame} data-board={match.table.value.game} ref={place}>
      <Unbroken key={match.board.value} instead={<BrokenBoard match={match} />}>
        {within(match)}
      </Unbroken>
    </div>
  );
}

/** No component: the frame, which gets the focus of what goes, has to be drawn whenever something may go. */
function within(match: Match) {
  const { room, stage } = match;
  const board = match.board.value;
  const moment = stage.moment.value;
  if (match.boardTrouble.value) {
    return (
      <>
        <Missing what="The board" />
        <p class="tiny quiet">{match.boardTrouble.value}</p>
      </>
    );
  }
  if (room.state.value.phase === "lobby") return <BeforeIt match={match} />;
  const delay = room.state.value.seat === null ? Number(room.state.value.about?.room_options.delay ?? 0) : 0;
  if (moment.public === null && delay > 0)
    return <p class="empty">Spectators are {delay === 1 ? "a turn" : `${delay} turns`} behind: it begins here soon.</p>;
  if (!board || moment.public === null) return <div class="bone board-bone" aria-busy="true" />;
  const refusal = match.refusal.value;
  return (
    <>
      <board.Board
        table={match.table.value}
        moment={moment}
        asked={match.asked.value}
        refusal={refusal}
        pace={stage.pace.value}
        play={(action, fields) => match.play(action, fields)}
        draft={match.draft.value.value}
        setDraft={(draft) => match.draft.set(draft)}
        heard={match.heard.value.value}
        setHeard={(heard) => match.heard.set(heard)}
      />
      {!board.showsRefusals && <div aria-live="assertive">{refusal && <p class="refusal">{refusal.text}</p>}</div>}
    </>
  );
}

/** The match goes on, and any can be played on the board of games that have none. */
function BrokenBoard({ match }: { readonly match: Match }) {
  const change = (board: BoardModule): void => {
    match.draft.set(null); // which that one may not understand
    match.board.value = { ...board };
  };
  return (
    <Missing what="The board" why="It has a bug. The match goes on.">
      <button type="button" class="button" onClick={() => void loadBoard("generic").then(change, complain)}>
        Go on without it
      </button>
    </Missing>
  );
}

/** While people wait there is time to see how the game is played. */
function BeforeIt({ match }: { readonly match: Match }) {
  const Rules = match.board.value?.Rules;
  return (
    <div class="stack">
      <p class="empty">The board is laid out when the match begins.</p>
      {Rules && (
        <div class="waiting-rules">
          <Unbroken instead={null}>
            <Rules table={match.table.value} />
          </Unbroken>
        </div>
      )}
    </div>
  );
}
