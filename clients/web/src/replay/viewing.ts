/** Which view of a finished match is on show: it is fetched as it is asked for, and the place in the match is kept. */

import { useEffect, useRef, useState } from "preact/hooks";

import { loadBoard } from "../boards";
import type { BoardModule } from "../boards/board";
import { Refused } from "../client/errors";
import type { Route } from "../routes";
import { session } from "../state";
import { parseInvitation } from "../wire/codes";
import { fetchReplay } from "./fetching";
import { readView, type Scene, sameMoment, scenesOf, type ViewReplay } from "./file";
import { type Place, usePlace } from "./timeline";

export type View = "public" | "own";

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
  readonly trouble: unknown;
  /** The match is not over for those who watch it. */
  readonly isEarly: boolean;
  /** An own seat was asked for that is not there, so that all see what everybody saw. */
  readonly isWithoutSeat: boolean;
  change(view: View): void;
}

export function useViewing(at: Extract<Route, { at: "replay" }>): Viewing {
  const { code, step } = at;
  const wanted = at.seat === "own" ? "own" : "public";
  const [view, setView] = useState<View>(wanted);
  const place = usePlace(step ?? 0);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [isEarly, setEarly] = useState(false);
  const [isWithoutSeat, setWithoutSeat] = useState(false);
  const isWelcome = session.welcome.value !== null;
  /** The moment on show, wherever somebody has gone while another view of it was on its way. */
  const here = useRef<Scene | undefined>(undefined);
  here.current = loaded?.scenes[Math.min(place.index, loaded.scenes.length - 1)];
  const change = (to: View): void => {
    setWithoutSeat(false);
    setView(to);
  };
  useEffect(() => {
    change(wanted);
    if (step === null) return;
    if (loaded?.view !== wanted) setLoaded(null); // for the step is one of the view that the address names
    place.move(step);
  }, [at]);
  const show = (found: Loaded): void => {
    if (here.current) place.move(sameMoment(found.scenes, here.current));
    setLoaded(found);
  };
  const fail = (error: unknown): void => {
    const hasNoSeat = error instanceof Refused && error.code === "seat.none";
    setWithoutSeat(hasNoSeat);
    if (hasNoSeat) setView("public");
    else setTrouble(error);
  };
  useEffect(() => {
    setTrouble(null);
    return isWelcome ? follow(code, view, show, fail, () => setEarly(true)) : undefined;
  }, [isWelcome, code, view]);
  return { view, loaded, place, trouble, isEarly, isWithoutSeat, change };
}

/** Fetch a view, again and again while the match is not over for those who watch it; return what ends that. */
function follow(
  code: string,
  view: View,
  show: (found: Loaded) => void,
  fail: (error: unknown) => void,
  beEarly: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = true;
  const refuse = (error: unknown): void => {
    if (!isWanted) return;
    if (error instanceof Refused && error.code === "replay.running") {
      beEarly();
      timer = setTimeout(fetchIt, RUNNING_MS);
    } else fail(error);
  };
  const fetchIt = (): void => void load(code, view).then((found) => isWanted && show(found), refuse);
  fetchIt();
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

async function load(code: string, view: View): Promise<Loaded> {
  const found = parseInvitation(code);
  if (!found) throw new Error("This is no code of a room.");
  const file = await fetchReplay(found.room, view, found.key);
  const replay = readView(file);
  const board = await loadBoard(replay.about.game).catch(() => {
    throw new NoBoard();
  });
  return { view, replay, scenes: scenesOf(replay), board, file };
}
