/** The inspector: a local match step by step, with everything in it, played and edited at will. */

import "./inspector.css";

import { useEffect, useMemo, useState } from "preact/hooks";

import { route } from "../routes";
import { gameName } from "../state";
import { Choices } from "./choices";
import { InspectorConnection } from "./connection";
import { InspectedBoard, type Viewer } from "./inspected_board";
import { type Keeping, LocalMatch, type Shown, stepsOf } from "./local_match";
import { Moves, Stepper } from "./moves";
import { Files, importedText, SetupForm } from "./setup_form";
import { StatePanel } from "./state_panel";

const inspector = new InspectorConnection();
const matches = new Map<string, LocalMatch>();

export default function Inspector() {
  const at = route.value;
  if (at.at !== "extra") return null;
  const code = new URLSearchParams(location.hash.split("?")[1]).get("replay");
  return <Inspection key={`${at.game} ${code}`} game={at.game} code={code} />;
}

function Inspection({ game, code }: { readonly game: string; readonly code: string | null }) {
  const match = matchOf(game);
  const [told, setTold] = useState("");
  useEffect(() => {
    if (code)
      void match.importReplay(() => fetchReplay(code)).then((left) => setTold(left === null ? "" : importedText(left)));
    else if (!match.shown.value) void match.open();
  }, [match, code]);
  const shown = match.shown.value;
  return (
    <div class="stack">
      <h2>{gameName(game)}</h2>
      <div aria-live="polite">
        {match.trouble.value && <p class="banner warn">{match.trouble.value}</p>}
        {told && <p class="tiny quiet">{told}</p>}
      </div>
      {shown ? (
        <Match match={match} shown={shown} />
      ) : (
        !match.trouble.value && <div class="bone board-bone" aria-busy="true" />
      )}
    </div>
  );
}

function Match({ match, shown }: { readonly match: LocalMatch; readonly shown: Shown }) {
  const [wanted, want] = useState<string>("acting");
  const { now } = stepsOf(shown);
  const seats = useMemo(() => Array.from({ length: now?.private.length ?? 0 }, (_, seat) => seat), [now]);
  const viewer: Viewer =
    wanted === "acting" ? (now?.asked[0] ?? "all") : wanted === "public" || wanted === "all" ? wanted : Number(wanted);
  return (
    <div class="inspector">
      <div class="stack">
        <label class="row tiny">
          view as
          <select class="select viewer" value={wanted} onChange={(event) => want(event.currentTarget.value)}>
            <option value="acting">the seat to act</option>
            {seats.map((seat) => (
              <option key={seat} value={seat}>
                seat {seat}
              </option>
            ))}
            <option value="public">everybody</option>
            <option value="all">a spectator of all hands</option>
          </select>
        </label>
        <InspectedBoard key={shown.setup.game} match={match} shown={shown} viewer={viewer} />
        <Stepper match={match} shown={shown} />
        <StatePanel match={match} shown={shown} />
      </div>
      <div class="stack">
        <Choices match={match} shown={shown} />
        <Moves match={match} shown={shown} />
        <SetupForm key={JSON.stringify(shown.answer.options)} match={match} shown={shown} />
        <Files match={match} />
      </div>
    </div>
  );
}

function matchOf(game: string): LocalMatch {
  const known = matches.get(game) ?? new LocalMatch(inspector, keepingOf(game), game);
  matches.set(game, known);
  return known;
}

async function fetchReplay(code: string): Promise<Uint8Array> {
  const answer = await fetch(`/api/replays/${encodeURIComponent(code)}`);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return new Uint8Array(await answer.arrayBuffer());
}

/** Kept for this tab; a full or blocked storage keeps nothing. */
function keepingOf(game: string): Keeping {
  const name = `warroom.inspect.${game}`;
  return {
    load: () => {
      try {
        return JSON.parse(sessionStorage.getItem(name) ?? "null") as ReturnType<Keeping["load"]>;
      } catch {
        return null;
      }
    },
    save: ({ setup, step }) => {
      try {
        sessionStorage.setItem(name, JSON.stringify({ setup, step }));
      } catch {
        // It is lost with the tab.
      }
    },
  };
}
