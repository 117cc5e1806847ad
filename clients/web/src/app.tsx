/** The frame around every screen: navigation, player, connection state. */

import { inWords } from "./client/error_text";
import { href, type Route, route } from "./routes";
import { Screen } from "./screens";
import { dismiss, notes, session, setTheme, type Theme, theme } from "./state";
import { PlayerName } from "./ui/player_name";

const PLACES: readonly (readonly [string, Route])[] = [
  ["Play", { at: "lobby" }],
  ["Watch", { at: "watch" }],
  ["Matches", { at: "matches", game: null }],
  ["Ranking", { at: "ranking", game: null, isOfBots: false }],
];

export function App() {
  return (
    <div class="shell">
      <header class="top">
        <div class="bar">
          <a class="brand" href="#/">
            <Mark />
            Warroom
          </a>
          <nav aria-label="Main">
            {PLACES.map(([name, to]) => (
              <a key={name} href={href(to)} aria-current={route.value.at === to.at ? "page" : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <ThemeButton />
          <PlayerName />
        </div>
        <LineStrip />
      </header>
      <Screen at={route.value} />
      <Notes />
    </div>
  );
}

function LineStrip() {
  const line = session.connection;
  if (line.kind === "waiting") {
    return (
      <div class="line-strip" role="status">
        Connection lost. Reconnecting… <span class="solace">your move is saved.</span>
      </div>
    );
  }
  if (line.kind !== "over") return null;
  return (
    <div class="line-strip" role="alert">
      {inWords(line.error)}{" "}
      <button type="button" class="button small" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const LOOKS: Record<Theme, string> = { auto: "◐", light: "☀", dark: "☾" };

function ThemeButton() {
  const now = theme.value;
  const label = `Colours: ${now === "auto" ? "same as the system" : now}`;
  return (
    <button
      type="button"
      class="button plain small"
      title={label}
      aria-label={label}
      onClick={() => setTheme(NEXT[now])}
    >
      <span aria-hidden="true">{LOOKS[now]}</span>
    </button>
  );
}

function Notes() {
  return (
    <div class="notes" role="status">
      {notes.value.map((each) => (
        <div key={each.id} class={each.isBad ? "note bad" : "note"}>
          <span>
            {each.text} {each.to && <a href={href(each.to)}>Open</a>}
          </span>
          <button type="button" class="close" aria-label="Dismiss" onClick={() => dismiss(each.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--ink)" />
      <path
        d="M6 9l5 14 5-10 5 10 5-14"
        fill="none"
        stroke="var(--paper)"
        stroke-width="3"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
