/** The seats: presence, bots, whose turn it is, and the host's controls before the match. */

import { left, type Room, type RoomState, type SeatState } from "warroom-client";
import { session } from "../state";
import { ErrorText, useActionErrors } from "../ui/action_errors";
import { safely } from "../ui/error_boundary";
import { duration, place } from "../ui/numbers";
import { useTicking } from "../ui/use_ticking";
import type { Match } from "./match";
import { seatColour } from "./table";

interface Props {
  readonly room: Room;
  readonly state: RoomState;
  readonly toAct: readonly number[];
  /** Seats that are out by the rules. */
  readonly out: readonly number[];
  readonly colour: (seat: number) => string;
}

/** The colour of a seat: the board's if it has one, or one of the page. */
export function colourOf(match: Match, seat: number): string {
  return safely(() => match.colour(seat), seatColour(seat));
}

export function Seats({ room, state, toAct, out, colour }: Props) {
  const isHost = state.host === session.welcome?.player;
  const seats = state.seats.map((seat) => (out.includes(seat.seat) ? { ...seat, out: true } : seat));
  const { trouble, begin } = useActionErrors(state.phase);
  return (
    <>
      <ol class="sheet seats" aria-label="Seats">
        {seats.map((seat) => (
          <li
            key={seat.seat}
            class={[toAct.includes(seat.seat) && "turn", seat.out && "out"].filter(Boolean).join(" ")}
            style={{ "--mine": colour(seat.seat) }}
          >
            <span class={`dot ${seat.player === null ? "open" : seat.connected ? "" : "away"}`} aria-hidden="true" />
            <div>
              <div class="name">
                {seat.name || (seat.kept ? "reserved" : "open seat")}
                {seat.seat === state.seat && <span class="quiet"> (you)</span>}
              </div>
              <Presence seat={seat} state={state} />
            </div>
            <div class="row">
              {state.ended?.ranks[seat.seat] !== undefined && state.ended.reason !== "void" && (
                <span class="tag number">{place(state.ended.ranks[seat.seat] ?? 0)}</span>
              )}
              {isHost && state.phase === "lobby" && seat.player !== null && seat.seat !== state.seat && (
                <button
                  type="button"
                  class="button plain small"
                  aria-label={`Remove ${seat.name}`}
                  onClick={() => begin(() => room.ask({ type: "kick", seat: seat.seat }))}
                >
                  Remove
                </button>
              )}
            </div>
          </li>
        ))}
      </ol>
      <ErrorText>{trouble}</ErrorText>
    </>
  );
}

function Presence({ seat, state }: { readonly seat: SeatState; readonly state: RoomState }) {
  const bank = state.clock.banks[seat.seat];
  const parts = [
    seat.player !== null && seat.player === state.host && state.phase === "lobby" && "host",
    seat.bot &&
      (seat.stood_in && !seat.hired ? `bot ${seat.bot} is playing` : `${seat.hired ? "" : "player's "}bot ${seat.bot}`),
    seat.out && "out",
    bank !== undefined && `bank ${duration(bank)}`,
  ].filter(Boolean);
  const isAway = seat.player !== null && !seat.connected && !seat.out && state.phase !== "ended";
  return (
    <div class="tiny quiet number">
      {parts.join(" · ")}
      {isAway && parts.length > 0 && " · "}
      {isAway && <Grace seat={seat} state={state} />}
    </div>
  );
}

/** Counts down how long a disconnected player's seat is kept. */
function Grace({ seat, state }: { readonly seat: SeatState; readonly state: RoomState }) {
  useTicking();
  if (seat.grace === null) return <>away</>;
  return <>away, {Math.ceil(left(state.clock, seat.grace, performance.now()) / 1000)} s to come back</>;
}
