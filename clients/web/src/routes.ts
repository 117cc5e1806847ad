/** The location in the page. It is behind the `#`, so that neither server nor proxy sees it. */

import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export type Route =
  | { readonly at: "lobby" }
  | { readonly at: "room"; readonly code: string }
  | { readonly at: "watch" }
  | { readonly at: "matches"; readonly game: string | null }
  | { readonly at: "ranking"; readonly game: string | null; readonly isOfBots: boolean }
  | { readonly at: "replay"; readonly code: string; readonly seat: string | null; readonly step: number | null }
  | { readonly at: "extra"; readonly game: string; readonly page: string }
  | { readonly at: "rules"; readonly game: string };

/** The last part of the address of the bots' ladder. */
const BOTS = "bots";

/** Return the route of an address; anything unknown leads to the lobby. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [head = "", first, second] = path.split("/").map(decoded);
  const asked = new URLSearchParams(query);
  switch (head) {
    case "r":
      return first ? { at: "room", code: first } : { at: "lobby" };
    case "watch":
      return { at: "watch" };
    case "matches":
      return { at: "matches", game: first ?? null };
    case "ranking":
      return { at: "ranking", game: first ?? null, isOfBots: second === BOTS };
    case "replay":
      return first
        ? { at: "replay", code: first, seat: asked.get("view"), step: number(asked.get("step")) }
        : { at: "lobby" };
    case "x":
      return first && second ? { at: "extra", game: first, page: second } : { at: "lobby" };
    case "rules":
      return first ? { at: "rules", game: first } : { at: "lobby" };
    default:
      return { at: "lobby" };
  }
}

/** Return the address of a route, starting with `#`. */
export function href(route: Route): string {
  switch (route.at) {
    case "lobby":
      return "#/";
    case "room":
      return `#/r/${encodeURIComponent(route.code)}`;
    case "watch":
      return "#/watch";
    case "matches":
      return route.game ? `#/matches/${encodeURIComponent(route.game)}` : "#/matches";
    case "ranking":
      return route.game
        ? `#/ranking/${encodeURIComponent(route.game)}${route.isOfBots ? `/${BOTS}` : ""}`
        : "#/ranking";
    case "replay":
      return `#/replay/${encodeURIComponent(route.code)}${query({ view: route.seat, step: route.step })}`;
    case "extra":
      return `#/x/${encodeURIComponent(route.game)}/${encodeURIComponent(route.page)}`;
    case "rules":
      return `#/rules/${encodeURIComponent(route.game)}`;
  }
}

const TITLES: Readonly<Record<Route["at"], string>> = {
  lobby: "",
  room: "Room",
  watch: "Watch",
  matches: "Matches",
  ranking: "Ranking",
  replay: "Replay",
  extra: "Page",
  rules: "Rules",
};

/** Return the page title: the screen's *subject*, or else the location. It never contains the key of a private room. */
export function titleOf(route: Route, subject: string | null = null): string {
  const code = "code" in route ? (route.code.split("-")[0] ?? "") : "";
  const where = subject ?? `${TITLES[route.at]} ${code}`.trim();
  return where ? `${where} · Warroom` : "Warroom";
}

export const route = signal<Route>({ at: "lobby" });
const subject = signal<string | null>(null);

/** Set the page title while a screen is shown. */
export function useSubject(about: string | null): void {
  useEffect(() => {
    subject.value = about;
    return () => {
      subject.value = null;
    };
  }, [about]);
}

/** Follow the address. */
export function followAddress(): void {
  const look = (): void => {
    route.value = parseRoute(location.hash);
  };
  effect(() => {
    document.title = titleOf(route.value, subject.value);
  });
  addEventListener("hashchange", look);
  look();
}

export function go(to: Route): void {
  location.hash = href(to);
}

/** An invalid escape is kept as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function number(text: string | null): number | null {
  const value = Number(text);
  return text !== null && Number.isInteger(value) && value >= 0 ? value : null;
}

function query(values: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return given.length
    ? `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`
    : "";
}
