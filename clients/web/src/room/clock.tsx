/** Above the board: the time of the turn as a smooth bar on the server's clock, and *Skip*. */

import { useEffect, useRef } from "preact/hooks";

import { left, type RoomState } from "warroom-client";
import { elapsed, timeLeft } from "../ui/numbers";
import { useTicking } from "../ui/use_ticking";
import type { Match } from "./match";

const PAUSES: Readonly<Record<string, string>> = {
  store: "Paused: waiting for storage.",
  agreed: "Paused by agreement.",
  restart: "The server restarted. Waiting for players to return.",
  moving: "The match is moving to another server and continues in a moment.",
};

const LOW_MS = 5000;
/** This share of a short turn counts as little time. */
const LOW_SHARE = 0.25;

/** The clock, and beside it the button that skips animations, above the board where it covers nothing. */
export function TurnBar({ match }: { readonly match: Match }) {
  const { room, steps } = match;
  const state = room.state;
  // A delayed spectator has no clock before the first turn is shown.
  const hasBegun = state.clock.turn > 0 || state.clock.deadline !== null;
  const hasClock = state.phase === "playing" && (hasBegun || state.paused !== null);
  const isCurrent = steps.isCurrent.value;
  if (!hasClock && isCurrent) return null;
  return (
    <div class="turn-bar">
      {hasClock && <ClockBar state={state} />}
      <button type="button" class="button small skip" disabled={isCurrent} onClick={() => steps.skip()}>
        Skip
      </button>
    </div>
  );
}

function ClockBar({ state }: { readonly state: RoomState }) {
  const fill = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLSpanElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { clock, prompt, about, paused, pauseEnds } = state;
  const turnMs = Number(about?.room_options.turn_ms ?? 0);
  useEffect(() => {
    let handle = 0;
    const draw = (): void => {
      const now = performance.now();
      const turnLeft = clock.deadline === null ? null : left(clock, clock.deadline, now);
      const ownLeft = prompt ? left(clock, prompt.deadline, now) : turnLeft;
      show(turnLeft, ownLeft);
      if (clock.isRunning && ownLeft !== null && ownLeft > 0) handle = requestAnimationFrame(draw);
    };
    const show = (turnLeft: number | null, ownLeft: number | null): void => {
      const share = turnLeft === null || !turnMs ? 0 : Math.min(1, turnLeft / turnMs);
      if (fill.current) fill.current.style.transform = `scaleX(${share})`;
      if (text.current) text.current.textContent = timeLeft(turnLeft, ownLeft);
      const low = Math.min(LOW_MS, turnMs * LOW_SHARE);
      frame.current?.classList.toggle("low", ownLeft !== null && ownLeft < low && clock.isRunning);
    };
    draw();
    return () => cancelAnimationFrame(handle);
  }, [clock, prompt, turnMs]);
  return (
    <div
      ref={frame}
      class={`clock ${prompt ? "mine" : ""} ${paused ? "halted" : ""}`}
      role="timer"
      aria-label="Time left in this turn"
    >
      {clock.turn > 0 && <span class="tiny quiet">Turn {clock.turn}</span>}
      {/* In place of the bar, so that nothing moves. */}
      <span class="halt tiny" role="status">
        {paused && (PAUSES[paused] ?? "The clock is paused.")}
        {pauseEnds !== null && <PauseLeft ends={pauseEnds} />}
      </span>
      {!paused && (
        <div class="track">
          <div ref={fill} class="fill" />
        </div>
      )}
      <span ref={text} class="left" />
    </div>
  );
}

/** Counts down to the end of a pause; screen readers do not read each second. */
function PauseLeft({ ends }: { readonly ends: number }) {
  useTicking();
  return <span aria-live="off"> It ends in {elapsed(Math.max(0, ends - performance.now()))}.</span>;
}
