/** The banners above a board (waiting, paused, over) and their actions. */

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

import { invitation, type Moved, type Room, type RoomRequest, type RoomState } from "warroom-client";
import { inWords } from "../client/error_text";
import { join } from "../lobby/actions";
import { go, href } from "../routes";
import { gameOf, session } from "../state";
import { type ActionErrors, ErrorText, useActionErrors } from "../ui/action_errors";
import { counted, spell } from "../ui/numbers";
import type { Match } from "./match";
import { type Offer, offersOf } from "./offers";
import { outcome, reason } from "./result_text";

export function Banners({ match }: { readonly match: Match }) {
  const { room } = match;
  const state = room.state;
  const closed = room.closed;
  const bot = state.seats.find((seat) => seat.seat === state.seat && seat.stood_in)?.bot;
  return (
    <div class="banners stack tight" aria-live="polite">
      {closed && <Banner tone="warn">{inWords(closed)}</Banner>}
      {state.hasDrifted && <Banner tone="warn">The board may be out of date. Reload the page to be sure.</Banner>}
      {state.phase === "lobby" && <Waiting room={room} state={state} />}
      {state.phase === "playing" && bot && <StoodIn room={room} bot={bot} />}
      {state.ended && <Over room={room} state={state} />}
    </div>
  );
}

interface BannerProps {
  readonly tone?: "warn" | "hot";
  /** Why an action in the banner failed. */
  readonly trouble?: string;
  readonly children: ComponentChildren;
}

function Banner({ tone, trouble = "", children }: BannerProps) {
  return (
    <div class={`banner ${tone ?? ""}`}>
      {children}
      <ErrorText>{trouble}</ErrorText>
    </div>
  );
}

interface AskProps {
  readonly room: Room;
  readonly request: RoomRequest;
  /** The caller shows the error, because the button may be gone by then. */
  readonly begin: ActionErrors["begin"];
  readonly then?: () => void;
  readonly main?: boolean;
  readonly children: ComponentChildren;
}

function Ask({ room, request, begin, then, main, children }: AskProps) {
  return (
    <button
      type="button"
      class={`button small ${main ? "main" : ""}`}
      onClick={() => begin(() => room.ask(request).then(then))}
    >
      {children}
    </button>
  );
}

function Waiting({ room, state }: { readonly room: Room; readonly state: RoomState }) {
  const game = gameOf(state.about?.game ?? "");
  const hasBots = Boolean(game?.bots.length);
  const open = state.seats.filter((seat) => seat.player === null).length;
  const taken = state.seats.length - open;
  const isHost = state.host === session.welcome?.player;
  const fillMs = state.about?.room_options.fill_after_ms;
  const { trouble, begin } = useActionErrors();
  const leave = (): void => {
    // Only once the lobby is shown, so that this screen does not report the room as closed.
    addEventListener("hashchange", () => session.leave(room.number), { once: true });
    go({ at: "lobby" });
  };
  return (
    <Banner trouble={trouble}>
      <span>
        {open === 0 ? "The match is starting." : `Waiting for ${counted(open, "more player")}.`}
        {isHost && open > 0 && " You are the host."}
        {open > 0 && hasBots && typeof fillMs === "number" && ` Bots fill the open seats after ${spell(fillMs)}.`}
      </span>
      <span class="row">
        {state.seat === null && open > 0 && (
          <button
            type="button"
            class={`button small ${trouble ? "" : "main"}`}
            onClick={() => begin(() => session.enter(room.number, room.key, "join"))}
          >
            Take a seat
          </button>
        )}
        {isHost && open > 0 && hasBots && (
          <Ask room={room} request={{ type: "fill" }} begin={begin} main>
            Fill with bots
          </Ask>
        )}
        {isHost && open > 0 && taken >= (game?.min_seats ?? 2) && (
          <Ask room={room} request={{ type: "start" }} begin={begin}>
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

function StoodIn({ room, bot }: { readonly room: Room; readonly bot: string }) {
  const { trouble, begin } = useActionErrors();
  const [isComing, setComing] = useState(false);
  return (
    <Banner tone="hot" trouble={trouble}>
      <span>
        Bot {bot} is playing for you. {isComing && "You take over with the next turn."}
      </span>
      {!isComing && (
        <Ask room={room} request={{ type: "reclaim" }} begin={begin} then={() => setComing(true)} main>
          Take over
        </Ask>
      )}
    </Banner>
  );
}

const OFFERS: Readonly<Record<Offer, string>> = { draw: "a draw", pause: "a pause", resume: "to resume" };

const QUESTIONS: Readonly<Record<Offer, string>> = { draw: "Draw?", pause: "Pause?", resume: "Resume?" };
const TERMS = "terms";

/** Offers and resigning: in a row, or behind a button on small screens. */
export function Offers({ room, state }: { readonly room: Room; readonly state: RoomState }) {
  const [isSure, setSure] = useState(false);
  const { trouble, begin } = useActionErrors(state.clock.turn);
  const terms = useRef<HTMLDivElement>(null);
  const close = (): void => terms.current?.hidePopover();
  const own = state.seats.find((seat) => seat.seat === state.seat);
  if (own?.out) return null;
  const offers = offersOf(state, gameOf(state.about?.game ?? "")?.has_draws === true).map((what) => {
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
        aria-label={open ? undefined : "Offers and resigning"}
      >
        {open ? QUESTIONS[open.what] : "⋯"}
      </button>
      <div
        class="row terms"
        id={TERMS}
        ref={terms}
        popover="auto"
        onToggle={(event) => event.newState === "closed" && setSure(false)}
      >
        {offers.map(({ what, isOurs, isOpen }) => (
          <Ask
            key={what}
            room={room}
            request={{ type: "offer", what, on: !isOurs }}
            begin={begin}
            then={close}
            main={isOpen && !isSure}
          >
            {isOurs
              ? `Withdraw: ${OFFERS[what]}`
              : isOpen
                ? `Agree ${OFFERS[what].replace(/^(?!to )/, "to ")}`
                : `Offer ${OFFERS[what]}`}
          </Ask>
        ))}
        {isSure && (
          <>
            <span class="tiny">Resign this match?</span>
            <Ask room={room} request={{ type: "resign" }} begin={begin} then={close} main>
              Yes, resign
            </Ask>
          </>
        )}
        {/* One button for both, so that it keeps the focus. */}
        <button type="button" class="button small plain" onClick={() => setSure(!isSure)}>
          {isSure ? "No" : "Resign…"}
        </button>
        <ErrorText>{trouble}</ErrorText>
      </div>
    </div>
  );
}

function Over({ room, state }: { readonly room: Room; readonly state: RoomState }) {
  const { moved } = state;
  const offered = state.offers.find(([what]) => what === "rematch")?.[1] ?? [];
  const isOurs = state.seat !== null && offered.includes(state.seat);
  const { trouble, begin } = useActionErrors();
  return (
    <Banner tone="hot" trouble={trouble}>
      <span>
        <b>{outcome(state)}</b> <span class="quiet">{reason(state)}</span>
      </span>
      <span class="row">
        {moved ? (
          <ToRematch moved={moved} isOurs={state.seat !== null} begin={begin} />
        ) : (
          state.seat !== null && (
            <Ask room={room} request={{ type: "offer", what: "rematch", on: !isOurs }} begin={begin} main={!isOurs}>
              {isOurs ? "Waiting for a rematch…" : offered.length ? "Accept rematch" : "Rematch"}
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

interface RematchProps {
  readonly moved: Moved;
  readonly isOurs: boolean;
  readonly begin: ActionErrors["begin"];
}

/** Players take their reserved seat in the rematch; spectators keep watching. */
function ToRematch({ moved, isOurs, begin }: RematchProps) {
  const { to, key } = moved;
  if (isOurs) {
    return (
      <button type="button" class="button small main" onClick={() => begin(() => join(to, key))}>
        Go to the rematch
      </button>
    );
  }
  return (
    <a class="button small main" href={href({ at: "room", code: invitation(to, key) })}>
      Go to the rematch
    </a>
  );
}
