/** A room: the board in the middle, beside it who plays, what happened, what is said, and the rules. */

import { useEffect, useState } from "preact/hooks";

import { inWords, Refused } from "../client/errors";
import type { Room } from "../client/room";
import { gameName, session } from "../state";
import { parseInvitation } from "../wire/codes";
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
  const isWelcome = session.welcome.value !== null;
  useEffect(() => {
    if (!isWelcome || room) return;
    const found = parseInvitation(code);
    if (!found) setTrouble("This is no code of a room.");
    else
      look(found.room, found.key)
        .then(setRoom)
        .catch((error: unknown) => setTrouble(inWords(error)));
  }, [isWelcome, code]);
  if (trouble) return <Missing code={code} why={trouble} />;
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
    if (error instanceof Refused && (error.code === "watch.seated" || error.code === "watch.nobody")) {
      return session.enter(number, key, "join");
    }
    throw error;
  }
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
  const toAct = state.phase === "playing" && moment.public !== null ? (board?.toAct?.(moment.public) ?? []) : [];
  return (
    <main class="screen room">
      <div class="head">
        <h1>{gameName(state.about?.game ?? "")}</h1>
        <span class="tag number">{room.code}</span>
        {state.seat === null && <span class="tag">watching</span>}
        {state.about?.room_options.rated === true && <span class="tag">rated</span>}
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
