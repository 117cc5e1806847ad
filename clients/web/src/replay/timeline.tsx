/** The timeline of a replay: scrub, step, play, and jump to key moments. */

import { useEffect, useState } from "preact/hooks";

import type { BoardModule, Moment } from "../boards/board";
import { isStill } from "../state";
import { safely } from "../ui/error_boundary";
import { elapsed } from "../ui/numbers";
import type { Scene } from "./file";

const SPEEDS = [0.5, 1, 2, 4, 8];
/** Extra display time of a moment after its animation. */
const REST_MS = 500;

export interface Player {
  readonly index: number;
  /** The moment on show; without its events after a jump. */
  readonly moment: Moment | null;
  readonly pace: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly last: number;
  jump(index: number): void;
  step(by: number): void;
  toggle(): void;
  setSpeed(speed: number): void;
}

/** The position in a match, kept while another view loads. */
export interface Place {
  readonly index: number;
  /** Whether it was jumped to, so that there is nothing to animate. */
  readonly isJump: boolean;
  move(index: number, isJump?: boolean): void;
}

export function usePlace(first: number): Place {
  const [place, setPlace] = useState({ index: first, isJump: true });
  return { ...place, move: (index, isJump = true) => setPlace({ index, isJump }) };
}

export function usePlayer(scenes: readonly Scene[], board: BoardModule, place: Place): Player {
  const last = Math.max(0, scenes.length - 1);
  const index = Math.min(place.index, last);
  const { isJump } = place;
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const scene = scenes[index];
  useEffect(() => {
    if (!isPlaying || !scene) return undefined;
    if (index >= last) {
      setPlaying(false);
      return undefined;
    }
    const wait = (safely(() => board.duration(scene.moment), 0) + REST_MS) / speed;
    const timer = setTimeout(() => place.move(index + 1, false), wait);
    return () => clearTimeout(timer);
  }, [isPlaying, index, speed, scene, board, last]);
  const show = (to: number, isFar: boolean): void => place.move(Math.max(0, Math.min(last, to)), isFar);
  return {
    index,
    moment: scene ? (isJump ? { ...scene.moment, events: [], before: null, serial: 0 } : scene.moment) : null,
    pace: isJump || isStill() ? 0 : 1 / speed,
    isPlaying,
    speed,
    last,
    jump: (to) => show(to, true),
    step: (by) => {
      setPlaying(false);
      show(index + by, by !== 1);
    },
    toggle: () => {
      if (!isPlaying && index >= last) show(0, true);
      setPlaying(!isPlaying);
    },
    setSpeed,
  };
}

interface Props {
  readonly player: Player;
  readonly scenes: readonly Scene[];
  readonly points: readonly (readonly [number, string])[];
}

export function Timeline({ player, scenes, points }: Props) {
  const scene = scenes[player.index];
  useKeys(player);
  return (
    <section class="sheet pad timeline" aria-label="Timeline">
      <div class="row">
        <Way name="First step" icon={ICONS.first} go={() => player.jump(0)} />
        <Way name="Previous step" icon={ICONS.back} go={() => player.step(-1)} />
        <button type="button" class="button small main play" onClick={() => player.toggle()}>
          {player.isPlaying ? "Pause" : "Play"}
        </button>
        <Way name="Next step" icon={ICONS.on} go={() => player.step(1)} />
        <Way name="Last step" icon={ICONS.last} go={() => player.jump(player.last)} />
        <label class="row tiny">
          speed
          <select
            class="select speed"
            value={player.speed}
            onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
          >
            {SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each}×
              </option>
            ))}
          </select>
        </label>
        {points.length > 0 && (
          <select
            class="select jump"
            aria-label="Key moments"
            value=""
            onChange={(event) => event.currentTarget.value && player.jump(Number(event.currentTarget.value))}
          >
            <option value="">Key moments…</option>
            {points.map(([index, text]) => (
              <option key={index} value={index}>
                {`Turn ${scenes[index]?.turn ?? 0}: ${text}`}
              </option>
            ))}
          </select>
        )}
        <span class="tiny quiet number at" aria-live="off">
          Step {player.index} of {player.last} · turn {scene?.turn ?? 0} · {elapsed(scene?.at ?? 0)}
        </span>
      </div>
      <div class="scrub">
        <input
          type="range"
          min={0}
          max={player.last}
          value={player.index}
          aria-label="Step of the match"
          aria-valuetext={`step ${player.index} of ${player.last}, turn ${scene?.turn ?? 0}`}
          onInput={(event) => player.jump(Number(event.currentTarget.value))}
        />
        <div class="ticks" aria-hidden="true">
          {points.map(([index]) => (
            <i key={index} style={{ left: `${(100 * index) / Math.max(1, player.last)}%` }} />
          ))}
        </div>
      </div>
    </section>
  );
}

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M12 3v10L4 8z",
  on: "M4 3v10l8-5z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

interface WayProps {
  readonly name: string;
  readonly icon: string;
  readonly go: () => void;
}

function Way({ name, icon, go }: WayProps) {
  return (
    <button type="button" class="button small" aria-label={name} onClick={go}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={icon} fill="currentColor" />
      </svg>
    </button>
  );
}

const TAKES_KEYS = 'input, select, textarea, button:not([aria-disabled="true"]), a, summary';

/** Left and right step, space plays, unless another element has the focus; with modifier keys the browser handles them. */
function useKeys(player: Player): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(TAKES_KEYS)) return;
      if (event.key === "ArrowRight") player.step(1);
      else if (event.key === "ArrowLeft") player.step(-1);
      else if (event.key === " ") player.toggle();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
