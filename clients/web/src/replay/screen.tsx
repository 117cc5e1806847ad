/** A finished match: the board at any moment of it, a timeline, and whether it is the match that was played. */

import "./replay.css";

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { loadBoard } from "../boards";
import type { BoardModule, Table } from "../boards/board";
import { inWords, Refused } from "../client/errors";
import { Log } from "../room/log";
import { makeTable, SEAT_COLOURS } from "../room/match";
import { RulesPanel } from "../room/rules_panel";
import { href, type Route, useSubject } from "../routes";
import { gameName, session } from "../state";
import { CopyLink } from "../ui/copy_link";
import { Missing } from "../ui/lazy";
import { place as placeOf } from "../ui/numbers";
import { parseInvitation, roomCode } from "../wire/codes";
import { fetchReplay, isOwnSeat } from "./fetching";
import { linesUntil, readView, type Scene, sameMoment, scenesOf, type ViewReplay } from "./file";
import { Seal, useVerified } from "./sealed";
import { type Place, Timeline, usePlace, usePlayer } from "./timeline";

type View = "public" | "own";

/** How often a match is asked for that is not over for its spectators. */
const RUNNING_MS = 3000;

interface Loaded {
  readonly replay: ViewReplay;
  readonly scenes: readonly Scene[];
  readonly board: BoardModule;
  readonly file: Uint8Array<ArrayBuffer>;
}

export default function ReplayScreen({ at }: { readonly at: Route }) {
  return at.at === "replay" ? <Replay key={at.code} at={at} /> : null;
}

function Replay({ at }: { readonly at: Extract<Route, { at: "replay" }> }) {
  const { code, step } = at;
  const [view, setView] = useState<View>(viewOf(at.seat));
  const place = usePlace(step ?? 0);
  /** The moment to go on at when another view of the match has come. */
  const going = useRef<Scene | null>(null);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [isEarly, setEarly] = useState(false);
  const isWelcome = session.welcome.value !== null;
  const change = (to: View): void => {
    const scenes = loaded?.scenes ?? [];
    going.current = scenes[Math.min(place.index, scenes.length - 1)] ?? null;
    setView(to);
  };
  useEffect(() => {
    going.current = null;
    setView(viewOf(at.seat));
    if (step !== null) place.move(step);
  }, [at]);
  useEffect(() => {
    if (!isWelcome) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const fetchIt = (): void => {
      load(code, view)
        .then((found) => {
          if (!isWanted) return;
          if (going.current) place.move(sameMoment(found.scenes, going.current));
          setLoaded(found);
        })
        .catch((error: unknown) => {
          if (!isWanted) return;
          const isRunning = error instanceof Refused && error.code === "replay.running";
          setEarly(isRunning);
          if (isRunning) timer = setTimeout(fetchIt, RUNNING_MS);
          else setTrouble(error);
        });
    };
    setTrouble(null);
    fetchIt();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isWelcome, code, view]);
  if (trouble) {
    return (
      <main class="screen stack">
        <h1>This match cannot be shown</h1>
        {trouble instanceof NoBoard ? <Missing /> : <p>{inWords(trouble)}</p>}
        <p class="row">
          {view === "own" && (
            <button type="button" class="button" onClick={() => change("public")}>
              Show what everybody saw
            </button>
          )}
          <a class="button" href={href({ at: "matches", game: null })}>
            Other matches
          </a>
        </p>
      </main>
    );
  }
  if (!loaded) return isEarly ? <Early code={code} /> : <Bones />;
  return <Shown code={code} view={view} loaded={loaded} place={place} onView={change} />;
}

function viewOf(seat: string | null): View {
  return seat === "own" ? "own" : "public";
}

function Bones() {
  return (
    <main class="screen room" aria-busy="true">
      <div class="head">
        <div class="bone title-bone" />
      </div>
      <div class="place">
        <div class="bone board-bone" />
      </div>
      <div class="side">
        <div class="bone list-bone" />
      </div>
    </main>
  );
}

/** Where spectators are some turns behind, nobody is told more than they know; the replay opens by itself. */
function Early({ code }: { readonly code: string }) {
  return (
    <main class="screen stack" aria-busy="true">
      <h1>The replay opens here soon</h1>
      <p>This match is not over yet for those who watch it: spectators are some turns behind.</p>
      <p>
        <a class="button" href={href({ at: "room", code })}>
          To the room
        </a>
      </p>
    </main>
  );
}

/** The board did not come. */
class NoBoard extends Error {}

async function load(code: string, view: View): Promise<Loaded> {
  const found = parseInvitation(code);
  if (!found) throw new Error("This is no code of a room.");
  const file = await fetchReplay(found.room, view, found.key);
  const replay = readView(file);
  const board = await loadBoard(replay.about.game).catch(() => {
    throw new NoBoard();
  });
  return { replay, scenes: scenesOf(replay), board, file };
}

interface ShownProps {
  readonly code: string;
  readonly view: View;
  readonly loaded: Loaded;
  readonly place: Place;
  readonly onView: (view: View) => void;
}

function Shown({ code, view, loaded, place, onView }: ShownProps) {
  const { replay, scenes, board, file } = loaded;
  const verified = useVerified(code);
  const hasSeat = useSeat(code, view);
  const table = useMemo(() => tableOf(replay, verified.names), [replay, verified.names]);
  const points = useMemo(() => turningPoints(scenes, board, table), [scenes, board, table]);
  const player = usePlayer(scenes, board, place);
  const scene = scenes[player.index];
  useEffect(() => board.hear?.(scene?.moment.events ?? []), [scene, board]);
  const lines = useMemo(() => linesUntil(scenes, player.index), [scenes, player.index]);
  const short = roomCode(replay.room);
  useSubject(`Replay of ${gameName(replay.about.game)} ${short}`);
  return (
    <main class="screen room replay">
      <div class="head">
        <h1>{gameName(replay.about.game)}</h1>
        <span class="tag number">{short}</span>
        <span class="tag">replay</span>
        <Seal verified={verified} code={code} replay={replay} />
      </div>
      <div class="place">
        <div class="sheet board-frame" data-board={replay.about.game}>
          {scene ? (
            <board.Board
              table={table}
              moment={player.moment ?? scene.moment}
              asked={null}
              refusal={null}
              pace={player.pace}
              play={() => Promise.resolve(false)}
              draft={null}
              setDraft={() => undefined}
            />
          ) : (
            <p class="empty">Nothing was played in this match.</p>
          )}
        </div>
        <Timeline player={player} scenes={scenes} points={points} />
      </div>
      <div class="side">
        <Result
          replay={replay}
          table={table}
          colour={(seat) =>
            (scene && board.colour?.(scene.moment.public, seat)) || `var(--seat-${seat % SEAT_COLOURS})`
          }
        />
        <section class="sheet pad stack tight" aria-label="This replay">
          <label class="field">
            <span class="name">seen by</span>
            <select class="select" value={view} onChange={(event) => onView(event.currentTarget.value as View)}>
              <option value="public">everybody</option>
              {hasSeat && <option value="own">my own seat</option>}
            </select>
          </label>
          <CopyLink
            label="Link to this moment"
            link={`${location.origin}/${href({ at: "replay", code, seat: view === "own" ? "own" : null, step: player.index })}`}
          />
          <div class="row tiny files">
            <span class="label">Download</span>
            <Download file={file} name={`${short}.warview`} />
            <a class="button small" href={`/api/replays/${encodeURIComponent(code)}`} download={`${short}.warroom`}>
              the whole match
            </a>
          </div>
        </section>
        <section class="sheet">
          <Log lines={lines} board={board} table={table} />
        </section>
        <RulesBelow game={replay.about.game} table={table} />
      </div>
    </main>
  );
}

/** Whether there is an own seat to look from. */
function useSeat(code: string, view: View): boolean {
  const [hasSeat, setSeat] = useState(view === "own");
  useEffect(() => {
    const found = parseInvitation(code);
    if (found) void isOwnSeat(found.room, found.key).then(setSeat);
  }, [code]);
  return hasSeat;
}

/** The rules, which are fetched when they are opened. */
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
    isBot: false,
    isOut: false,
  }));
  return makeTable(replay.about.game, replay.about.options, seats, replay.seat);
}

function turningPoints(
  scenes: readonly Scene[],
  board: BoardModule,
  table: Table,
): readonly (readonly [number, string])[] {
  return scenes.flatMap((scene, index) => {
    const text = board.turningPoint?.(scene.moment, table);
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
  const places = table.seats
    .map((seat) => ({ ...seat, rank: ended.ranks[seat.seat] ?? 0 }))
    .sort((one, other) => one.rank - other.rank);
  return (
    <ol class="sheet seats" aria-label="Result">
      {places.map((each) => (
        <li key={each.seat} style={{ "--mine": colour(each.seat) }}>
          <span class="dot" aria-hidden="true" />
          <span class="name">
            {each.name}
            {each.isYou && <span class="quiet"> (you)</span>}
          </span>
          <span class="tag number">{ended.reason === "void" ? "void" : placeOf(each.rank)}</span>
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
    <a class="button small" href={link} download={name}>
      what is shown
    </a>
  );
}
