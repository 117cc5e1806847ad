/** Running matches, several of them side by side. */

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

import { inWords } from "../client/errors";
import type { Room } from "../client/room";
import type { RoomListing } from "../generated/messages";
import { BoardPlace } from "../room/board_place";
import { ClockBar } from "../room/clock";
import { matchOf } from "../room/match";
import { href } from "../routes";
import { gameName, listed, session } from "../state";

/** So many boards at once are still worth looking at. */
const MOST = 4;

const watched = signal<readonly number[]>([]);

export default function Watch() {
  const running = listed.value?.filter((room) => room.phase === "playing" && room.watch !== "nobody");
  return (
    <main class="screen stack">
      <h1>Matches to watch</h1>
      <div class="watch-grid">
        {watched.value.map((number) => (
          <Window key={number} number={number} />
        ))}
      </div>
      {!running && <div class="bone list-bone" />}
      {running?.length === 0 && (
        <p class="empty">
          No match is running. <a href="#/">Begin one</a>, or look at{" "}
          <a href={href({ at: "matches", game: null })}>those that were played</a>.
        </p>
      )}
      <ul class="list wide-list">
        {running?.map((room) => (
          <Row key={room.room} room={room} />
        ))}
      </ul>
    </main>
  );
}

function Row({ room }: { readonly room: RoomListing }) {
  const isShown = watched.value.includes(room.room);
  const toggle = (): void => {
    watched.value = isShown
      ? watched.value.filter((each) => each !== room.room)
      : [...watched.value, room.room].slice(-MOST);
  };
  return (
    <li>
      <div>
        <b>{gameName(room.game)}</b>{" "}
        <span class="tiny quiet number">
          {room.watching} watching{room.delay > 0 && ` · ${room.delay} turns behind`}
        </span>
        <div class="tiny quiet">{room.players.map((player) => player.name).join(", ")}</div>
      </div>
      <div class="row">
        <button type="button" class="button small" aria-pressed={isShown} onClick={toggle}>
          {isShown ? "Hide" : "Show here"}
        </button>
        <a class="button small" href={href({ at: "room", code: room.code })}>
          Open
        </a>
      </div>
    </li>
  );
}

function Window({ number }: { readonly number: number }) {
  const [room, setRoom] = useState<Room | null>(null);
  const [trouble, setTrouble] = useState("");
  const isWelcome = session.welcome.value !== null;
  useEffect(() => {
    if (!isWelcome) return undefined;
    let entered: Room | null = null;
    session
      .enter(number, null, "watch")
      .then((found) => {
        entered = found;
        setRoom(found);
      })
      .catch((error: unknown) => setTrouble(inWords(error)));
    return () => {
      if (entered && entered.state.value.seat === null) void session.leave(entered);
    };
  }, [isWelcome, number]);
  const state = room?.state.value;
  return (
    <section class="sheet pad stack tight" aria-label={state?.about ? gameName(state.about.game) : "A match"}>
      {trouble && <p class="quiet">{trouble}</p>}
      {room && state?.about && (
        <>
          <div class="row apart">
            <h2>{gameName(state.about.game)}</h2>
            <a class="button small plain" href={href({ at: "room", code: room.code })}>
              Open
            </a>
          </div>
          <p class="tiny quiet">{state.seats.map((seat) => seat.name).join(", ")}</p>
          {state.ended ? <p class="tag">over</p> : <ClockBar state={state} />}
          <div class="board-frame" data-board={state.about.game}>
            <BoardPlace match={matchOf(room)} />
          </div>
        </>
      )}
      {!room && !trouble && <div class="bone list-bone" />}
    </section>
  );
}
