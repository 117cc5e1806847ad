/** Shared state of the page: the session, the games of the server, and notes. */

import { batch, computed, effect, signal } from "@preact/signals";

import { type GameList, type GameListing, newRef, Session } from "warroom-client";
import { inWords } from "./client/error_text";
import { browserStore, Identity } from "./client/identity";
import { href, type Route, route } from "./routes";

const scheme = location.protocol === "https:" ? "wss" : "ws";
export const identity = new Identity();
export const session = new Session(`${scheme}://${location.host}/ws`, {
  identity,
  dial: (url) => new WebSocket(url),
  cells: { cell: signal, batch },
  agent: "warroom page",
});

// --- games ----------------------------------------------------------------------------------------------------------

export const catalogue = signal<GameList | null>(null);
export const games = computed<readonly GameListing[]>(() => catalogue.value?.games ?? []);

export function gameOf(id: string): GameListing | undefined {
  return games.value.find((game) => game.game === id);
}

const BOTS_COME_MS = 2000;
const BOTS_CHANGE_MS = 30_000;
let gamesTimer: ReturnType<typeof setTimeout> | undefined;

/** Load the games, and again after *delay*: available bots come and go with their workers. */
function fetchGames(delay: number): void {
  clearTimeout(gamesTimer);
  session
    .ask({ type: "games", ref: newRef() })
    .then((reply) => {
      catalogue.value = reply;
    })
    .catch(() => undefined)
    .finally(() => {
      const isWaiting = catalogue.value?.games.some((game) => game.bots.length === 0) ?? true;
      const again = (): void => fetchGames(Math.min(2 * delay, BOTS_CHANGE_MS));
      clearTimeout(gamesTimer);
      gamesTimer = setTimeout(
        () => (document.hidden ? document.addEventListener("visibilitychange", again, { once: true }) : again()),
        isWaiting ? delay : BOTS_CHANGE_MS,
      );
    });
}

/** The name of a game, for people. */
export function gameName(id: string): string {
  return gameOf(id)?.name ?? id.replaceAll("_", " ");
}

// --- notes ----------------------------------------------------------------------------------------------------------

export interface Note {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  /** Its link; a note with a link stays until it is followed or dismissed. */
  readonly to: Route | null;
}

export const notes = signal<readonly Note[]>([]);
const NOTE_MS = 6000;
const MOST_NOTES = 3;
let noted = 0;

/** Show a note that belongs to no part of the page. */
export function note(text: string, isBad = false, to: Route | null = null): void {
  noted += 1;
  const id = noted;
  const known = notes.value;
  const leaving = known.length < MOST_NOTES ? null : (known.find((each) => !each.to) ?? known[0]);
  notes.value = [...known.filter((each) => each !== leaving), { id, text, isBad, to }];
  if (!to) setTimeout(() => dismiss(id), NOTE_MS);
}

export function dismiss(id: number): void {
  notes.value = notes.value.filter((each) => each.id !== id);
}

/** Show why something failed. */
export function showError(error: unknown): void {
  note(inWords(error), true);
}

// --- the look -------------------------------------------------------------------------------------------------------

export type Theme = "auto" | "light" | "dark";
const THEME = "warroom.theme";

export const theme = signal<Theme>(readTheme());

function readTheme(): Theme {
  const kept = browserStore.getItem(THEME);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  browserStore.setItem(THEME, chosen);
}

/** Whether the user prefers reduced motion. */
export function isStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Start everything; called once. */
export function begin(): void {
  session.on("connection", ({ kind }) => kind === "open" && fetchGames(BOTS_COME_MS));
  session.start();
  addEventListener("online", () => session.hurry());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) session.hurry();
  });
  effect(() => {
    const here = href(route.value);
    notes.value = notes.peek().filter((each) => !each.to || href(each.to) !== here);
  });
  effect(() => {
    if (theme.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}
