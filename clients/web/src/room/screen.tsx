/** A room: the board in the middle, beside it who plays, what happened, what is said, and the rules. */

import { useEffect, useState } from "preact/hooks";

import { inWords, Refused } from "../client/errors";
import type { Room } from "../client/room";
import type { About } from "../generated/messages";
import { notedSeal } from "../replay/notes";
import { gameName, session } from "../state";
import { parseInvitation, roomCode } from "../wire/codes";
import { Banners, Offers } from "./banners";
import { BoardPlace } from "./board_place";
import { ClockBar } from "./clock";
import { Chat, Log } from "./log";
import { type Match, matchOf } from "./match";
import { RulesPanel } from "./rules";
import { Seats } from "./seats";
import { Share } from "./share";

export function RoomScreen({ code }: { readonly code: string }) {
  const [room, setRoom] = useState<Room | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isClosed, setClosed] = useState(false);
  const isWelcome = session.welcome.value !== null;
  const found = parseInvitation(code);
  const enter = (entering: Promise<Room>): void => {
    entering.then(setRoom).catch((error: unknown) => {
      if (error instanceof Refused && error.code === "watch.nobody") setClosed(true);
      else setTrouble(inWords(error));
    });
  };
  useEffect(() => {
    if (!isWelcome || room) return;
    if (!found) setTrouble("This is no code of a room.");
    else enter(look(found.room, found.key));
  }, [isWelcome, code]);
  if (trouble) return <Missing code={code} why={trouble} />;
  if (isClosed && !room && found) return <Doorstep onSit={() => enter(session.enter(found.room, found.key, "join"))} />;
  if (!room?.state.value.about) return <RoomBones />;
  return <OpenRoom match={matchOf(room)} />;
}

/** Look at a room; whoever has a seat there takes it up again. */
async function look(number: number, key: string | null): Promise<Room> {
  const known = session.rooms.get(number);
  if (known) return known;
  try {
    const room = await session.enter(number, key, "watch");
    return await seated(room, number, key);
  } catch (error) {
    if (error instanceof Refused && mayTakeUp(error.code, number)) return session.enter(number, key, "join");
    throw error;
  }
}

/** Whether a refusal to look on means that we sit there; where nobody may watch, only who sat there saw anything. */
function mayTakeUp(code: string, number: number): boolean {
  return code === "watch.seated" || (code === "watch.nobody" && notedSeal(roomCode(number)) !== null);
}

/** Wait for who sits there, and join if that is us. */
function seated(room: Room, number: number, key: string | null): Promise<Room> {
  return new Promise((resolve) => {
    const stop = room.state.subscribe((state) => {
      if (!state.seats.length) return;
      queueMicrotask(() => stop());
      const isOurs = state.seats.some((seat) => seat.player === room.player);
      if (isOurs && state.seat === null) session.enter(number, key, "join").then(resolve, () => resolve(room));
      else resolve(room);
    });
  });
}

function OpenRoom({ match }: { readonly match: Match }) {
  const { room } = match;
  const state = room.state.value;
  const board = match.board.value;
  const moment = match.stage.moment.value;
  const delay = Number(state.about?.room_options.delay ?? 0);
  const toAct = state.phase === "playing" && moment.public !== null ? (board?.toAct?.(moment.public) ?? []) : [];
  return (
    <main class="screen room">
      <div class="head">
        <h1>{gameName(state.about?.game ?? "")}</h1>
        <span class="tag number">{room.code}</span>
        {state.seat === null && <span class="tag">watching</span>}
        {state.seat === null && delay > 0 && (
          <span class="tag warn">
            {delay} {delay === 1 ? "turn" : "turns"} behind
          </span>
        )}
        {isRated(state.about?.room_options) && <span class="tag">rated</span>}
        <span class="quiet tiny number">{state.watching > 0 && `${state.watching} watching`}</span>
        {state.phase === "playing" && state.seat !== null && <Offers room={room} state={state} />}
      </div>
      <div class="place">
        <Banners match={match} />
        {state.phase === "playing" && <ClockBar state={state} />}
        <div class="sheet board-frame" data-board={state.about?.game}>
          <BoardPlace match={match} />
        </div>
      </div>
      <div class="side">
        <Seats room={room} state={state} toAct={toAct} colour={(seat) => match.colour(seat)} />
        {state.phase === "lobby" && <Share room={room} />}
        <SideTabs match={match} />
      </div>
    </main>
  );
}

/** Whether the result counts: never in a private room, or where spectators see all hands. */
function isRated(options: About["room_options"] | undefined): boolean {
  return options?.rated === true && options.private !== true && options.watch !== "all";
}

type Tab = "log" | "chat" | "rules";
const TABS: readonly (readonly [Tab, string])[] = [
  ["log", "Log"],
  ["chat", "Talk"],
  ["rules", "Rules"],
];

function SideTabs({ match }: { readonly match: Match }) {
  const [tab, setTab] = useState<Tab>("log");
  const [heard, setHeard] = useState(0);
  const count = match.sayings.value.length;
  useEffect(() => {
    if (tab === "chat") setHeard(count);
  }, [tab, count]);
  return (
    <section class="sheet side-tabs">
      <div class="tabs" role="tablist" aria-label="Beside the board">
        {TABS.map(([name, title]) => (
          <button key={name} type="button" role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
            {title}
            {name === "chat" && tab !== "chat" && count > heard && <span class="tag hot">{count - heard}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel">
        {tab === "log" && <Log lines={match.lines.value} board={match.board.value} table={match.table.value} />}
        {tab === "chat" && <Chat match={match} />}
        {tab === "rules" && <RulesPanel game={match.table.value.game} table={match.table.value} />}
      </div>
    </section>
  );
}

function RoomBones() {
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

/** A room without spectators: looking in means sitting down, which nobody should do by following a link. */
function Doorstep({ onSit }: { readonly onSit: () => void }) {
  return (
    <main class="screen stack">
      <h1>A room without spectators</h1>
      <p>You can take a seat here, but not look on.</p>
      <p class="row">
        <button type="button" class="button main" onClick={onSit}>
          Take a seat
        </button>
        <a class="button" href="#/">
          Back to the games
        </a>
      </p>
    </main>
  );
}

function Missing({ code, why }: { readonly code: string; readonly why: string }) {
  return (
    <main class="screen stack">
      <h1>This room cannot be entered</h1>
      <p>{why}</p>
      <p class="quiet">
        If a match was played there and is over, its <a href={`#/replay/${code}`}>replay</a> may still be had.
      </p>
      <p>
        <a class="button" href="#/">
          Back to the games
        </a>
      </p>
    </main>
  );
}
