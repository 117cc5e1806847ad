/** The view of a finished match on show: views load on demand, and the position is kept. */

import { useEffect, useRef, useState } from "preact/hooks";
import { RejectedError } from "warroom-client";
import { loadBoard } from "../boards";
import type { BoardModule } from "../boards/board";
import type { Route } from "../routes";
import { session } from "../state";
import { readView, type Scene, sameMoment, scenesOf, type ViewReplay } from "./file";
import { fetchReplay } from "./replay_loader";
import { type Place, usePlace } from "./timeline";

export type View = "public" | "own";

/** Refusal codes: the match is still running for spectators; the player was not in it. */
const RUNNING = "replay.running";
const NO_SEAT = "seat.none";

/** Retry interval while the match is still running for spectators. */
const RUNNING_MS = 3000;

export interface Loaded {
  readonly view: View;
  readonly replay: ViewReplay;
  readonly scenes: readonly Scene[];
  readonly board: BoardModule;
  readonly file: Uint8Array<ArrayBuffer>;
}

/** The board failed to load. */
export class NoBoard extends Error {}

export interface Viewing {
  /** The wanted view; until it arrives, the previous one stays. */
  readonly view: View;
  readonly loaded: Loaded | null;
  readonly place: Place;
  /** Why the last requested view failed. */
  readonly trouble: unknown;
  /** Whether the server could not show it yet and is asked again. */
  readonly isHeldUp: boolean;
  /** The match is still running for spectators. */
  readonly isEarly: boolean;
  /** An own view was requested but does not exist, so the public view is shown. */
  readonly isWithoutSeat: boolean;
  /** Request a view, or retry it. */
  change(view: View): void;
}

export function useViewing(at: Extract<Route, { at: "replay" }>): Viewing {
  const { code, step } = at;
  const wanted = at.seat === "own" ? "own" : "public";
  const [asked, ask] = useState<{ readonly view: View } | null>(null);
  const place = usePlace(step ?? 0);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [isHeldUp, setHeldUp] = useState(false);
  const isWelcome = session.welcome !== null;
  /** The moment on show, even if the user moved while another view was loading. */
  const here = useRef<Scene | undefined>(undefined);
  here.current = loaded?.scenes[Math.min(place.index, loaded.scenes.length - 1)];
  useEffect(() => {
    setTrouble(null);
    ask({ view: wanted });
    if (step === null) return;
    if (loaded?.view !== wanted) setLoaded(null); // the step belongs to the view in the address
    place.move(step);
  }, [at]);
  const change = (view: View): void => {
    // Keep the error beside a view until a retry ends, so that the retry button keeps the focus.
    if (!loaded || loaded.view === view) setTrouble(null);
    ask({ view });
  };
  const show = (found: Loaded): void => {
    if (here.current) place.move(sameMoment(found.scenes, here.current));
    setTrouble((known: unknown) => (isRefused(known, NO_SEAT) ? known : null));
    setLoaded(found);
  };
  const fail = (error: unknown): void => {
    setTrouble(error);
    if (loaded || isRefused(error, NO_SEAT)) ask({ view: loaded?.view ?? "public" });
  };
  const hold = (): void => setHeldUp(true);
  useEffect(() => {
    setHeldUp(false);
    if (!isWelcome || !asked || asked.view === loaded?.view) return undefined;
    return follow((tell) => load(code, asked.view, tell), show, fail, hold);
  }, [isWelcome, code, asked]);
  return { view: asked?.view ?? wanted, loaded, place, isHeldUp, ...told(trouble), change };
}

/** What an error means for the viewer. */
function told(error: unknown): Pick<Viewing, "trouble" | "isEarly" | "isWithoutSeat"> {
  const isEarly = isRefused(error, RUNNING);
  const isWithoutSeat = isRefused(error, NO_SEAT);
  return { isEarly, isWithoutSeat, trouble: isEarly || isWithoutSeat ? null : error };
}

function isRefused(error: unknown, code: string): boolean {
  return error instanceof RejectedError && error.code === code;
}

/** Load a view, retrying while the match is still running for spectators; return a function that stops it. */
function follow(
  fetch: (tell: () => void) => Promise<Loaded>,
  show: (found: Loaded) => void,
  fail: (error: unknown) => void,
  hold: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = true;
  const refuse = (error: unknown): void => {
    if (!isWanted) return;
    fail(error);
    if (isRefused(error, RUNNING)) timer = setTimeout(fetchIt, RUNNING_MS);
  };
  const tell = (): void => {
    if (isWanted) hold();
  };
  const fetchIt = (): void => void fetch(tell).then((found) => isWanted && show(found), refuse);
  fetchIt();
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

async function load(code: string, view: View, tell: () => void): Promise<Loaded> {
  const file = await fetchReplay(code, view, tell);
  const replay = readView(file);
  const board = await loadBoard(replay.about.game).catch(() => {
    throw new NoBoard();
  });
  return { view, replay, scenes: scenesOf(replay), board, file };
}
