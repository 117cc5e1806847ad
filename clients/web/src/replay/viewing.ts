/** Which view of a finished match is on show: it is fetched as it is asked for, and the place in the match is kept. */

import { useEffect, useRef, useState } from "preact/hooks";

import { loadBoard } from "../boards";
import type { BoardModule } from "../boards/board";
import { Refused } from "../client/errors";
import type { Route } from "../routes";
import { session } from "../state";
import { fetchReplay } from "./fetching";
import { readView, type Scene, sameMoment, scenesOf, type ViewReplay } from "./file";
import { type Place, usePlace } from "./timeline";

export type View = "public" | "own";

/** What the server refuses with: the match is not over for its spectators; whoever asks did not play in it. */
const RUNNING = "replay.running";
const NO_SEAT = "seat.none";

/** How often a match is asked for that is not over for its spectators. */
const RUNNING_MS = 3000;

export interface Loaded {
  readonly view: View;
  readonly replay: ViewReplay;
  readonly scenes: readonly Scene[];
  readonly board: BoardModule;
  readonly file: Uint8Array<ArrayBuffer>;
}

/** The board did not come. */
export class NoBoard extends Error {}

export interface Viewing {
  /** The view that is wanted; until it has come, the one before stays. */
  readonly view: View;
  readonly loaded: Loaded | null;
  readonly place: Place;
  /** Why the view did not come that was asked for last. */
  readonly trouble: unknown;
  /** Whether the server could not show it yet, and is asked again. */
  readonly isHeldUp: boolean;
  /** The match is not over for those who watch it. */
  readonly isEarly: boolean;
  /** An own seat was asked for that is not there, so that all see what everybody saw. */
  readonly isWithoutSeat: boolean;
  /** Ask for a view, be it once more. */
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
  const isWelcome = session.welcome.value !== null;
  /** The moment on show, wherever somebody has gone while another view of it was on its way. */
  const here = useRef<Scene | undefined>(undefined);
  here.current = loaded?.scenes[Math.min(place.index, loaded.scenes.length - 1)];
  useEffect(() => {
    setTrouble(null);
    ask({ view: wanted });
    if (step === null) return;
    if (loaded?.view !== wanted) setLoaded(null); // for the step is one of the view that the address names
    place.move(step);
  }, [at]);
  const change = (view: View): void => {
    // Beside a view that stays, the trouble stays too until it is over: so does the focus of who tries again.
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

/** What an error means for whoever looks on. */
function told(error: unknown): Pick<Viewing, "trouble" | "isEarly" | "isWithoutSeat"> {
  const isEarly = isRefused(error, RUNNING);
  const isWithoutSeat = isRefused(error, NO_SEAT);
  return { isEarly, isWithoutSeat, trouble: isEarly || isWithoutSeat ? null : error };
}

function isRefused(error: unknown, code: string): boolean {
  return error instanceof Refused && error.code === code;
}

/** Fetch a view, again and again while the match is not over for those who watch it; return what ends that. */
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
