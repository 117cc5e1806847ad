/** A finished match: the board at any moment, a timeline, and the verification. */

import "./replay.css";

import { useEffect, useMemo, useState } from "preact/hooks";
import { roomCode } from "warroom-client";
import type { BoardModule, Table } from "../boards/board";
import { inWords } from "../client/error_text";
import { Log } from "../room/log";
import { RulesPanel } from "../room/rules_panel";
import { makeTable, seatColour } from "../room/table";
import { href, type Route, useSubject } from "../routes";
import { gameName } from "../state";
import { CopyLink } from "../ui/copy_link";
import { ErrorBoundary, safely } from "../ui/error_boundary";
import { Missing } from "../ui/lazy";
import { place as placeOf } from "../ui/numbers";
import { DeadEnd, MatchSkeleton } from "../ui/placeholders";
import { standings } from "../ui/standings";
import { useBoardMemory } from "./board_memory";
import type { Scene, ViewReplay } from "./file";
import { logOf, logUntil } from "./log";
import { isOwnSeat } from "./replay_loader";
import { type Loaded, NoBoard, useViewing, type View, type Viewing } from "./replay_view";
import { Timeline, usePlayer } from "./timeline";
import { useChecking, VerificationBadge } from "./verification_badge";

export default function ReplayScreen({ at }: { readonly at: Route }) {
  return at.at === "replay" ? <Replay key={at.code} at={at} /> : null;
}

function Replay({ at }: { readonly at: Extract<Route, { at: "replay" }> }) {
  const { code } = at;
  const viewing = useViewing(at);
  const { loaded } = viewing;
  if (loaded) return <Shown code={code} viewing={viewing} loaded={loaded} />;
  if (viewing.isEarly) return <Early code={code} />;
  return viewing.trouble ? <NotShown viewing={viewing} /> : <MatchSkeleton isHeldUp={viewing.isHeldUp} />;
}

function NotShown({ viewing }: { readonly viewing: Viewing }) {
  const { trouble, view } = viewing;
  const isBoardless = trouble instanceof NoBoard;
  const ways = (
    <>
      {!isBoardless && (
        <button type="button" class="button main" onClick={() => viewing.change(view)}>
          Try again
        </button>
      )}
      {!isBoardless && view === "own" && (
        <button type="button" class="button" onClick={() => viewing.change("public")}>
          Public view
        </button>
      )}
      <a class="button" href={href({ at: "matches", game: null })}>
        Other matches
      </a>
    </>
  );
  return (
    <DeadEnd title="Replay not available" ways={ways}>
      {isBoardless ? <Missing /> : <p>{inWords(trouble)}</p>}
    </DeadEnd>
  );
}

/** While delayed spectators are still behind, nobody sees more than they do; the replay opens by itself later. */
function Early({ code }: { readonly code: string }) {
  const toRoom = (
    <a class="button" href={href({ at: "room", code })}>
      Go to the room
    </a>
  );
  return (
    <DeadEnd title="The replay is not ready yet" ways={toRoom}>
      <p>Spectators see this match some turns later. The replay opens when it is over for them too.</p>
    </DeadEnd>
  );
}

interface ShownProps {
  readonly code: string;
  readonly viewing: Viewing;
  readonly loaded: Loaded;
}

function Shown({ code, viewing, loaded }: ShownProps) {
  const { replay, scenes, board, file } = loaded;
  const checking = useChecking(code);
  const hasSeat = useSeat(code, loaded.view);
  const table = useMemo(() => tableOf(replay, checking.names), [replay, checking.names]);
  const points = useMemo(() => turningPoints(scenes, board, table), [scenes, board, table]);
  const player = usePlayer(scenes, board, viewing.place);
  const scene = scenes[player.index];
  const log = useMemo(() => logOf(scenes, board, table), [scenes, board, table]);
  const [memory, setMemory] = useBoardMemory(scenes, player.index, board, replay.seat);
  const short = roomCode(replay.room);
  useSubject(`Replay of ${gameName(replay.about.game)} ${short}`);
  return (
    <main class="screen room replay">
      <div class="head">
        <h1>{gameName(replay.about.game)}</h1>
        <span class="tag number">{short}</span>
        <span class="tag">replay</span>
        <VerificationBadge checking={checking} code={code} replay={replay} />
      </div>
      <div class="place">
        <Remarks viewing={viewing} shown={loaded.view} />
        <div class="sheet board-frame" data-board={replay.about.game}>
          {scene ? (
            <ErrorBoundary
              instead={<Missing what="The board" why="A bug stopped it. The log still shows what was played." />}
            >
              <board.Board
                table={{ ...table, isOver: player.index === scenes.length - 1 }}
                moment={player.moment ?? scene.moment}
                asked={null}
                refusal={null}
                pace={player.pace}
                play={() => Promise.resolve(false)}
                draft={null}
                setDraft={() => undefined}
                memory={memory}
                setMemory={setMemory}
              />
            </ErrorBoundary>
          ) : (
            <p class="empty">No moves were played in this match.</p>
          )}
        </div>
        <Timeline player={player} scenes={scenes} points={points} />
      </div>
      <div class="side">
        <Result
          replay={replay}
          table={table}
          colour={(seat) => safely(() => scene && board.colour?.(scene.moment.public, seat), null) || seatColour(seat)}
        />
        <section class="sheet pad stack tight" aria-label="This replay">
          <label class="field">
            <span class="name">view as</span>
            <select
              class="select"
              value={viewing.view}
              onChange={(event) => viewing.change(event.currentTarget.value as View)}
            >
              <option value="public">everybody</option>
              {hasSeat && <option value="own">my seat</option>}
            </select>
          </label>
          <CopyLink
            label="Link to this step"
            link={`${location.origin}/${href({ at: "replay", code, seat: loaded.view === "own" ? "own" : null, step: player.index })}`}
          />
          <div class="row tiny files">
            <span class="label">Download</span>
            <Download file={file} name={`${short}.warview`} />
            <a class="button small" href={`/api/replays/${encodeURIComponent(code)}`} download={`${short}.warroom`}>
              full match
            </a>
          </div>
        </section>
        <section class="sheet">
          <Log lines={logUntil(log, player.index)} />
        </section>
        <RulesBelow game={replay.about.game} table={table} />
      </div>
    </main>
  );
}

/** A note on the view shown, if it is not the requested one. */
function Remarks({ viewing, shown }: { readonly viewing: Viewing; readonly shown: View }) {
  const { trouble } = viewing;
  const other = shown === "own" ? "public" : "own";
  const isAsked = viewing.view === other;
  return (
    <div role="status">
      {viewing.isWithoutSeat && (
        <p class="banner">
          This link shows one player's view, which only that player can open, in the browser they played in. You see the
          public view.
        </p>
      )}
      {trouble !== null && (
        <p class="banner warn">
          <span>
            {other === "own" ? "Your view" : "The public view"} could not be loaded. {inWords(trouble)}
          </span>
          <button
            type="button"
            class="button small"
            aria-disabled={isAsked}
            onClick={() => isAsked || viewing.change(other)}
          >
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

/** Whether there is an own seat to view from. */
function useSeat(code: string, view: View): boolean {
  const [hasSeat, setSeat] = useState(view === "own");
  useEffect(() => {
    void isOwnSeat(code).then(setSeat);
  }, [code]);
  return hasSeat;
}

/** The rules, loaded when they are opened. */
function RulesBelow({ game, table }: { readonly game: string; readonly table: Table }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="sheet pad" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Rules</summary>
      {isOpen && <RulesPanel game={game} table={table} />}
    </details>
  );
}

function tableOf(replay: ViewReplay, names: readonly (string | null)[]): Table {
  const count = Math.max(replay.ended.ranks.length, names.length);
  const seats = Array.from({ length: count }, (_, seat) => ({
    seat,
    name: names[seat] ?? `Seat ${seat}`,
    isYou: seat === replay.seat,
  }));
  return makeTable(replay.about.game, replay.about.options, seats, replay.seat, true);
}

function turningPoints(
  scenes: readonly Scene[],
  board: BoardModule,
  table: Table,
): readonly (readonly [number, string])[] {
  return scenes.flatMap((scene, index) => {
    const text = safely(() => board.keyMoment?.(scene.moment, table), null);
    return text ? [[index, text] as const] : [];
  });
}

interface ResultProps {
  readonly replay: ViewReplay;
  readonly table: Table;
  readonly colour: (seat: number) => string;
}

function Result({ replay, table, colour }: ResultProps) {
  const { ended } = replay;
  const places = standings(ended, table.seats);
  return (
    <ol class="sheet seats" aria-label="Result">
      {places.map((each) => (
        <li key={each.seat} style={{ "--mine": colour(each.seat) }}>
          <span class="dot" aria-hidden="true" />
          <span class="name">
            {each.name}
            {each.isYou && <span class="quiet"> (you)</span>}
          </span>
          <span class="tag number">{ended.reason === "void" ? "void" : `${placeOf(each.rank)}${each.note}`}</span>
        </li>
      ))}
    </ol>
  );
}

function Download({ file, name }: { readonly file: Uint8Array<ArrayBuffer>; readonly name: string }) {
  const [link, setLink] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([file], { type: "application/octet-stream" }));
    setLink(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <a class="button small" {...(link && { href: link })} download={name}>
      this view
    </a>
  );
}
