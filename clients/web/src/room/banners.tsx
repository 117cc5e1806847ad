/** What a room has to say above its board: that it waits, stands still, is over; and what can be done about it. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import type { Room, RoomRequest, RoomState } from "../client/room";
import type { Moved } from "../generated/messages";
import { join } from "../lobby/actions";
import { go, href } from "../routes";
import { complain, gameOf, session } from "../state";
import { counted } from "../ui/numbers";
import { invitation } from "../wire/codes";
import { outcome, reason } from "./ending";
import type { Match } from "./match";
import { type Term, termsOf } from "./terms";

export function Banners({ match }: { readonly match: Match }) {
  const { room } = match;
  const state = room.state.value;
  const closed = room.closed.value;
  return (
    <div class="banners stack tight" aria-live="polite">
      {closed && <Banner tone="warn">{closed}</Banner>}
      {state.hasDrifted && (
        <Banner tone="warn">This copy of the board may be wrong. Load the page again to be sure.</Banner>
      )}
      {state.phase === "lobby" && <Waiting room={room} state={state} />}
      {state.phase === "playing" && <StoodIn room={room} state={state} />}
      {state.ended && <Over room={room} state={state} />}
    </div>
  );
}

function Banner({ tone, children }: { readonly tone?: "warn" | "hot"; readonly children: ComponentChildren }) {
  return <div class={`banner ${tone ?? ""}`}>{children}</div>;
}

function Ask({
  room,
  request,
  main,
  inside,
  children,
}: {
  readonly room: Room;
  readonly request: RoomRequest;
  readonly main?: boolean;
  /** The id of what opens above the page, which closes with it. */
  readonly inside?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class={`button small ${main ? "main" : ""}`}
      popovertarget={inside}
      popovertargetaction="hide"
      onClick={() => void room.ask(request).catch(complain)}
    >
      {children}
    </button>
  );
}

function Waiting({ room, state }: { readonly room: Room; readonly state: RoomState }) {
  const game = gameOf(state.about?.game ?? "");
  const open = state.seats.filter((seat) => seat.player === null).length;
  const taken = state.seats.length - open;
  const isHost = state.host !== null && state.host === session.welcome.value?.player;
  const leave = (): void => {
    session.leave(room.number);
    go({ at: "lobby" });
  };
  return (
    <Banner>
      <span>
        {open === 0 ? "The match begins." : `Waiting for ${counted(open, "more player")}.`}
        {isHost && open > 0 && " You are the host."}
      </span>
      <span class="row">
        {state.seat === null && open > 0 && (
          <button
            type="button"
            class="button small main"
            onClick={() => void session.enter(room.number, room.key, "join").catch(complain)}
          >
            Take a seat
          </button>
        )}
        {isHost && open > 0 && Boolean(game?.bots.length) && (
          <Ask room={room} request={{ type: "fill" }} main>
            Fill with bots
          </Ask>
        )}
        {isHost && open > 0 && taken >= (game?.min_seats ?? 2) && (
          <Ask room={room} request={{ type: "start" }}>
            Start with {taken}
          </Ask>
        )}
        <button type="button" class="button small plain" onClick={leave}>
          Leave
        </button>
      </span>
    </Banner>
  );
}

function StoodIn({ room, state }: { readonly room: Room; readonly state: RoomState }) {
  const own = state.seats.find((seat) => seat.seat === state.seat);
  if (!own?.stood_in) return null;
  return (
    <Banner tone="hot">
      <span>The bot {own.bot} plays for you.</span>
      <Ask room={room} request={{ type: "reclaim" }} main>
        Take the seat back
      </Ask>
    </Banner>
  );
}

const OFFERS: Readonly<Record<Term, string>> = { draw: "a draw", pause: "a pause", resume: "to go on" };

const QUESTIONS: Readonly<Record<Term, string>> = { draw: "Draw?", pause: "Pause?", resume: "Go on?" };
const TERMS = "terms";

/** What the players can agree on, and giving up: in a row, or where that takes too much space, in what a button opens. */
export function Offers({ room, state }: { readonly room: Room; readonly state: RoomState }) {
  const [isSure, setSure] = useState(false);
  const own = state.seats.find((seat) => seat.seat === state.seat);
  if (own?.out) return null;
  const offers = termsOf(state, gameOf(state.about?.game ?? "")?.has_draws === true).map((what) => {
    const by = state.offers.find(([name]) => name === what)?.[1] ?? [];
    const isOurs = state.seat !== null && by.includes(state.seat);
    return { what, isOurs, isOpen: by.length > 0 && !isOurs };
  });
  const open = offers.find((each) => each.isOpen);
  return (
    <div class="offers">
      <button
        type="button"
        class={`button small fold ${open ? "main" : "plain"}`}
        popovertarget={TERMS}
        aria-label={open ? undefined : "Offers and giving up"}
      >
        {open ? QUESTIONS[open.what] : "⋯"}
      </button>
      <div
        class="row terms"
        id={TERMS}
        popover="auto"
        onToggle={(event) => event.newState === "closed" && setSure(false)}
      >
        {offers.map(({ what, isOurs, isOpen }) => (
          <Ask key={what} room={room} request={{ type: "offer", what, on: !isOurs }} main={isOpen} inside={TERMS}>
            {isOurs
              ? `Take back: ${OFFERS[what]}`
              : isOpen
                ? `Agree ${OFFERS[what].replace(/^(?!to )/, "to ")}`
                : `Offer ${OFFERS[what]}`}
          </Ask>
        ))}
        {isSure && (
          <>
            <span class="tiny">Give the match up?</span>
            <Ask room={room} request={{ type: "resign" }} main inside={TERMS}>
              Yes, resign
            </Ask>
          </>
        )}
        {/* One button for both, so that the focus stays where it is. */}
        <button type="button" class="button small plain" onClick={() => setSure(!isSure)}>
          {isSure ? "No" : "Resign…"}
        </button>
      </div>
    </div>
  );
}

function Over({ room, state }: { readonly room: Room; readonly state: RoomState }) {
  const { moved } = state;
  const offered = state.offers.find(([what]) => what === "rematch")?.[1] ?? [];
  const isOurs = state.seat !== null && offered.includes(state.seat);
  return (
    <Banner tone="hot">
      <span>
        <b>{outcome(state)}</b> <span class="quiet">{reason(state)}</span>
      </span>
      <span class="row">
        {moved ? (
          <ToRematch moved={moved} isOurs={state.seat !== null} />
        ) : (
          state.seat !== null && (
            <Ask room={room} request={{ type: "offer", what: "rematch", on: !isOurs }} main={!isOurs}>
              {isOurs ? "Waiting for a rematch…" : offered.length ? "Agree to a rematch" : "Rematch"}
            </Ask>
          )
        )}
        <a class="button small" href={href({ at: "replay", code: room.invitation, seat: null, step: null })}>
          Replay
        </a>
      </span>
    </Banner>
  );
}

/** Who played sits down there, on the seat that is kept; who watched goes on watching. */
function ToRematch({ moved, isOurs }: { readonly moved: Moved; readonly isOurs: boolean }) {
  const { to, key } = moved;
  if (isOurs) {
    return (
      <button type="button" class="button small main" onClick={() => void join(to, key).catch(complain)}>
        To the rematch
      </button>
    );
  }
  return (
    <a class="button small main" href={href({ at: "room", code: invitation(to, key) })}>
      To the rematch
    </a>
  );
}
