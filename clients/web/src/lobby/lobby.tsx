/** The lobby: games, open rooms and running matches. */

import "../lists/lists.css";
import "./lobby.css";

import { useEffect, useState } from "preact/hooks";
import type { GameListing } from "warroom-client";
import { pagesOf } from "../boards/extra_pages";
import { pictureOf } from "../boards/pictures";
import { OlderRooms } from "../lists/older_rooms";
import { isOwn, ownFirst, type Row } from "../lists/own_rooms";
import { RecentMatches } from "../lists/recent_matches";
import { roomList } from "../lists/rooms";
import { go, href } from "../routes";
import { gameName, games, session, showError } from "../state";
import { ErrorText, useActionErrors } from "../ui/action_errors";
import { lazy, NoDialog } from "../ui/lazy";
import { spell } from "../ui/numbers";
import { join, playBots, playNow } from "./actions";
import { routeTo } from "./link_parser";
import { useOlderOpen } from "./older_open_rooms";
import { GameSkeleton } from "./skeleton";

const CreateDialog = lazy(() => import("./create"), NoDialog);
const NO_BOTS = "No bots are available for this game.";
/** Delay until the lobby is painted, before anyone has chosen a game. */
const IDLE_MS = 500;

/** *onIdle* is called when the lobby is shown and there is time to preload. */
export default function Lobby({ onIdle }: { readonly onIdle: () => void }) {
  const [creating, setCreating] = useState<GameListing | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      CreateDialog.fetch();
      onIdle();
    }, IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main class="screen lobby">
      <section class="stack" aria-labelledby="games-title">
        <h1 id="games-title">Choose a game</h1>
        {games.value.length ? (
          <div class="games">
            {games.value.map((game) => (
              <GameCard key={game.game} game={game} onCreate={() => setCreating(game)} />
            ))}
          </div>
        ) : (
          <GameSkeleton />
        )}
      </section>
      <aside class="stack" aria-label="Rooms">
        <JoinByCode />
        <Rooms />
        <section class="stack tight" aria-labelledby="recent-title">
          <div class="section-head">
            <h2 id="recent-title">Recently played</h2>
            <a class="tiny" href={href({ at: "matches", game: null })}>
              all matches
            </a>
          </div>
          <RecentMatches />
        </section>
      </aside>
      {creating && <CreateDialog game={creating} onClose={() => setCreating(null)} />}
    </main>
  );
}

function GameCard({ game, onCreate }: { readonly game: GameListing; readonly onCreate: () => void }) {
  const { isBusy, trouble, begin } = useActionErrors();
  const Picture = pictureOf(game.game);
  const againstBots = (): Promise<void> =>
    game.bots.length ? playBots(game.game) : Promise.reject(new Error(NO_BOTS));
  const seats = game.min_seats === game.max_seats ? `${game.min_seats}` : `${game.min_seats}–${game.max_seats}`;
  return (
    <article class="sheet game">
      <div class="picture" aria-hidden="true">
        {Picture ? <Picture /> : <Monogram name={game.name} />}
      </div>
      <div class="words">
        <h2>{game.name}</h2>
        <p class="quiet">{game.summary}</p>
        <p class="tiny quiet number">
          {seats} players · {spell(game.turn_ms)} a turn
        </p>
      </div>
      <div class="doing">
        <button type="button" class="button main" disabled={isBusy} onClick={() => begin(() => playNow(game.game))}>
          Play now
        </button>
        <button
          type="button"
          class="button"
          disabled={isBusy}
          aria-disabled={!game.bots.length}
          onClick={() => begin(againstBots)}
        >
          Against bots
        </button>
        <ErrorText>{trouble === NO_BOTS && game.bots.length ? "" : trouble}</ErrorText>
        <div class="more">
          <button type="button" class="button plain small" onClick={onCreate}>
            Create a room…
          </button>
          <a class="button plain small" href={href({ at: "rules", game: game.game })}>
            Rules
          </a>
          {pagesOf(game.game).map((page) => (
            <a
              key={page.id}
              class="button plain small"
              href={href({ at: "extra", game: game.game, page: page.id })}
              title={page.title}
            >
              {page.name}
            </a>
          ))}
        </div>
      </div>
    </article>
  );
}

/** The default picture of a game. */
function Monogram({ name }: { readonly name: string }) {
  return (
    <svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <circle cx="160" cy="80" r="46" fill="var(--sheet)" stroke="var(--accent)" stroke-width="3" />
      <text x="160" y="98" text-anchor="middle" font-size="52" font-weight="700" fill="var(--ink)">
        {name.charAt(0)}
      </text>
    </svg>
  );
}

function JoinByCode() {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const to = routeTo(text);
    setWrong(!to);
    if (to) go(to);
  };
  return (
    <form class="stack tight" onSubmit={submit}>
      <label class="label" for="code">
        Join by code or link
      </label>
      <div class="code-form">
        <input
          id="code"
          class="input"
          placeholder="2h0bc34"
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <button type="submit" class="button" disabled={!text.trim()}>
          Go
        </button>
      </div>
      <ErrorText>{isWrong ? "This is not a room code. Room codes look like 2h0bc34." : ""}</ErrorText>
    </form>
  );
}

function Rooms() {
  const me = session.welcome?.player;
  const listed = roomList.rooms.value;
  const older = useOlderOpen();
  const rooms = listed && ownFirst(listed, session.rooms.values(), me);
  const waiting = rooms?.filter((room) => room.phase === "lobby" && room.taken < room.seats);
  const open = waiting && [
    ...waiting,
    ...(older ?? []).filter((room) => !rooms?.some((each) => each.room === room.room)),
  ];
  const running = rooms?.filter((room) => room.phase === "playing");
  return (
    <>
      <section class="stack tight rooms" aria-labelledby="open-title">
        <h2 id="open-title">Waiting for players</h2>
        <RoomList
          rooms={open?.length || older ? open : undefined}
          empty="No open games. Start one and others can join."
          verb="Join"
        />
      </section>
      <section class="stack tight rooms" aria-labelledby="running-title">
        <h2 id="running-title">Running</h2>
        <RoomList rooms={running} empty="No matches are running." verb="Watch" />
        <OlderRooms />
      </section>
    </>
  );
}

interface ListProps {
  readonly rooms: readonly Row[] | undefined;
  readonly empty: string;
  readonly verb: "Join" | "Watch";
}

function RoomList({ rooms, empty, verb }: ListProps) {
  if (!rooms) return <div class="bone list-bone" />;
  if (!rooms.length) return <p class="empty tiny">{empty}</p>;
  return (
    <ul class="list">
      {rooms.map((room) => (
        <RoomRow key={room.room} room={room} verb={verb} />
      ))}
    </ul>
  );
}

function RoomRow({ room, verb }: { readonly room: Row; readonly verb: "Join" | "Watch" }) {
  const { isBusy, begin } = useActionErrors();
  // The error is shown apart from the row, which disappears when the seat is taken.
  const sit = (): Promise<void> => join(room.room, null).catch(showError);
  const sitsThere = isOwn(room, session.welcome?.player);
  return (
    <li>
      <div class="who">
        <b>{gameName(room.game)}</b>{" "}
        <span class="quiet tiny number">
          {room.taken}/{room.seats} · {spell(room.turn_ms)} a turn
        </span>
        <div class="tiny quiet who">{room.players.map((player) => player.name).join(", ") || "nobody yet"}</div>
      </div>
      {verb === "Join" && !sitsThere ? (
        <button type="button" class="button small" disabled={isBusy} onClick={() => begin(sit)}>
          Join
        </button>
      ) : (
        <a class="button small" href={href({ at: "room", code: room.code })}>
          {sitsThere ? "Return" : "Watch"}
        </a>
      )}
    </li>
  );
}
