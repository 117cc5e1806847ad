/** The ordinary board of a game, for one viewer of a local match; it plays for a seat to act. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { View } from "warroom-client";
import { loadBoard } from "../boards";
import type { Asked, BoardModule, Moment, Refusal } from "../boards/board";
import { sentence } from "../client/error_text";
import { makeTable } from "../room/table";
import { isStill } from "../state";
import { ErrorBoundary, safely } from "../ui/error_boundary";
import { Missing } from "../ui/lazy";
import { type LocalMatch, type Shown, stepsOf } from "./local_match";
import type { GameEvent, Step } from "./questions";

/** A seat, or a spectator of the public part or of all hands. */
export type Viewer = number | "public" | "all";

interface Props {
  readonly match: LocalMatch;
  readonly shown: Shown;
  readonly viewer: Viewer;
}

export function InspectedBoard({ match, shown, viewer }: Props) {
  const [board, setBoard] = useState<BoardModule | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [draft, setDraft] = useState<View>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const last = useRef({ step: shown.step, serial: 0 });
  useEffect(() => {
    loadBoard(match.game).then(setBoard, () => setMissing(true));
  }, []);
  useEffect(() => {
    setDraft(null);
    setRefusal(null);
  }, [shown, viewer]);
  const { now, before } = stepsOf(shown);
  if (isMissing) return <Missing what="The board" />;
  if (!board || !now) return <div class="bone board-bone" aria-busy="true" />;
  const isForward = shown.step === last.current.step + 1;
  if (shown.step !== last.current.step) last.current = { step: shown.step, serial: last.current.serial + 1 };
  const moment = momentOf(now, before, viewer, last.current.serial);
  const seat = typeof viewer === "number" ? viewer : null;
  const seats = now.private.map((_, number) => ({ seat: number, name: `Seat ${number}`, isYou: number === viewer }));
  const play = async (action: View): Promise<boolean> => {
    if (seat === null) return false;
    const failure = await match.play({ type: "act", seat, action });
    setRefusal(failure && { action, code: failure.code, text: sentence(failure.text) });
    return failure === null;
  };
  return (
    <div class="sheet board-frame" data-board={match.game}>
      <ErrorBoundary
        key={viewer}
        instead={<Missing what="The board" why="A bug stopped it. The state below is still right." />}
      >
        <board.Board
          table={makeTable(match.game, shown.answer.options, seats, seat, now.result !== null)}
          moment={moment}
          asked={askedOf(shown, seat, match.isBusy.value)}
          refusal={refusal}
          pace={isForward && !isStill() ? 1 : 0}
          play={play}
          draft={draft}
          setDraft={setDraft}
          memory={safely(() => board.remember?.(moment, null, seat) ?? null, null)}
          setMemory={() => undefined}
        />
      </ErrorBoundary>
      {!board.showsRefusals && <div aria-live="assertive">{refusal && <p class="refusal">{refusal.text}</p>}</div>}
    </div>
  );
}

function momentOf(now: Step, before: Step | undefined, viewer: Viewer, serial: number): Moment {
  const own = (step: Step): View => (typeof viewer === "number" ? (step.private[viewer] ?? null) : null);
  return {
    public: now.public,
    private: own(now),
    privates: viewer === "all" ? now.private : [],
    events: now.events.flatMap((event) => formsOf(event, viewer)),
    before: before ? { public: before.public, private: own(before) } : null,
    serial,
  };
}

/** The forms of an event that a viewer gets. */
function formsOf(event: GameEvent, viewer: Viewer): readonly View[] {
  const secret = event.private.filter(([seat]) => seat === viewer).map(([, form]) => form);
  return [...(event.public === null ? [] : [event.public]), ...secret];
}

function askedOf({ step, answer }: Shown, seat: number | null, isSending: boolean): Asked | null {
  const choice = answer.choices.find((each) => each.seat === seat);
  if (!choice) return null;
  const { actions, notes } = choice;
  return { turn: step, legal: actions, notes, isComplete: answer.complete, isSending };
}
