/** Running matches, several side by side. */

import "./lists.css";

import { signal } from "@preact/signals";
import type { RoomListing } from "warroom-client";
import { inWords } from "../client/error_text";
import { BoardPlace } from "../room/board_frame";
import { TurnBar } from "../room/clock";
import { matchOf } from "../room/match";
import { useVisit } from "../room/use_room";
import { href } from "../routes";
import { gameName, session } from "../state";
import { counted } from "../ui/numbers";
import { DelayNotice } from "../ui/placeholders";
import { OlderRooms } from "./older_rooms";
import { isOwn } from "./own_rooms";
import { roomList } from "./rooms";

/** Maximum number of boards side by side. */
const MOST = 4;
const FULL = `You can show up to ${MOST} matches side by side. Hide one to show another.`;

const watched = signal<readonly number[]>([]);

export default function Watch() {
  const running = roomList.rooms.value?.filter((room) => room.phase === "playing" && room.watch !== "nobody");
  return (
    <main class="screen stack">
      <h1>Watch matches</h1>
      <div class="watch-grid">
        {watched.value.map((number) => (
          <Window key={number} number={number} />
        ))}
      </div>
      {!running && <div class="bone list-bone" />}
      {running?.length === 0 && (
        <p class="empty">
          No matches are running. <a href="#/">Start one</a>, or see the{" "}
          <a href={href({ at: "matches", game: null })}>finished matches</a>.
        </p>
      )}
      {running && running.length > 0 && (
        <ul class="list sheet wide-list">
          {running.map((room) => (
            <Row key={room.room} room={room} />
          ))}
        </ul>
      )}
      {isFull() && <p class="quiet tiny">{FULL}</p>}
      <OlderRooms />
    </main>
  );
}

function isFull(): boolean {
  return watched.value.length >= MOST;
}

function show(number: number): void {
  watched.value = [...watched.value, number];
}

function hide(number: number): void {
  watched.value = watched.value.filter((each) => each !== number);
}

function Row({ room }: { readonly room: RoomListing }) {
  const isShown = watched.value.includes(room.room);
  const sitsThere = isOwn(room, session.welcome?.player);
  return (
    <li>
      <div>
        <b>{gameName(room.game)}</b>
        <div class="tiny quiet number">
          {room.watching} watching{room.delay > 0 && ` · ${counted(room.delay, "turn")} behind`}
        </div>
        <div class="tiny quiet">{room.players.map((player) => player.name).join(", ")}</div>
      </div>
      <div class="row">
        {!sitsThere && (
          <button
            type="button"
            class="button small"
            disabled={!isShown && isFull()}
            aria-pressed={isShown}
            onClick={() => (isShown ? hide : show)(room.room)}
          >
            {isShown ? "Hide" : "Show here"}
          </button>
        )}
        <a class="button small" href={href({ at: "room", code: room.code })}>
          {sitsThere ? "Return" : "Open"}
        </a>
      </div>
    </li>
  );
}

/** One match; it can be hidden here too, because a finished match has no row. */
function Window({ number }: { readonly number: number }) {
  const { room, error, isHeldUp } = useVisit(number, null, (enter) => enter("watch"));
  const state = room?.state;
  const closed = room?.closed;
  const name = state?.about ? gameName(state.about.game) : "A match";
  return (
    <section class="sheet pad stack tight" aria-label={name}>
      <div class="row apart">
        <h2>{name}</h2>
        <div class="row">
          <button type="button" class="button small plain" onClick={() => hide(number)}>
            Hide
          </button>
          {room && (
            <a class="button small plain" href={href({ at: "room", code: room.code })}>
              Open
            </a>
          )}
        </div>
      </div>
      <div role="status">{error || closed ? <p class="banner warn">{inWords(closed ?? error)}</p> : null}</div>
      <DelayNotice isHeldUp={isHeldUp} />
      {room && state?.about && (
        <>
          <p class="tiny quiet">{state.seats.map((seat) => seat.name).join(", ")}</p>
          {state.ended && <p class="tag">over</p>}
          {!closed && <TurnBar match={matchOf(room)} />}
          <BoardPlace match={matchOf(room)} class="board-frame" />
        </>
      )}
      {!room && !error && <div class="bone list-bone" />}
    </section>
  );
}
