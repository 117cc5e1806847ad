/** What is true and what each viewer knows at one step, with what the step changed. */

import { useState } from "preact/hooks";

import type { View } from "warroom-client";
import { Tabs } from "../ui/tabs";
import { JsonTree } from "./json_tree";
import { type LocalMatch, type Shown, stepsOf } from "./local_match";
import type { Step } from "./questions";
import { StateEditor } from "./state_editor";

const PANEL = "state-panel";

export function StatePanel({ match, shown }: { readonly match: LocalMatch; readonly shown: Shown }) {
  const [chosen, choose] = useState("full");
  const [isEditing, setEditing] = useState(false);
  const { now, before } = stepsOf(shown);
  if (!now) return null;
  const seats = now.private.flatMap((view, seat) => (view === null ? [] : [seat]));
  const tabs = [
    ["full", "Full state"],
    ["public", "Public"],
    ...seats.map((seat) => [`seat ${seat}`, `Seat ${seat}`] as const),
    ["events", `Events (${now.events.length})`],
  ] as const;
  const tab = tabs.some(([name]) => name === chosen) ? chosen : "full";
  return (
    <section class="sheet pad stack tight" aria-label="State">
      <Tabs label="Views" tabs={tabs} chosen={tab} panel={PANEL} onChoose={choose} />
      <div id={PANEL} role="tabpanel" tabindex={0} class="stack tight">
        {tab === "full" && isEditing ? (
          <StateEditor
            key={shown.step}
            text={now.state}
            later={shown.setup.moves.length - shown.step}
            onApply={(text, keepsLater) => match.edit(text, keepsLater)}
            onClose={() => setEditing(false)}
          />
        ) : (
          <JsonTree
            key={tab}
            value={viewOf(now, tab)}
            before={before && viewOf(before, tab)}
            isCompared={before !== undefined && tab !== "events"}
          />
        )}
        {tab === "full" && !isEditing && (
          <div>
            <button type="button" class="button small" onClick={() => setEditing(true)}>
              Edit the state…
            </button>
          </div>
        )}
      </div>
    </section>
  );
}

function viewOf(step: Step, tab: string): View {
  if (tab === "full") return JSON.parse(step.state) as View;
  if (tab === "public") return step.public;
  if (tab === "events") return step.events as unknown as View;
  return step.private[Number(tab.slice("seat ".length))] ?? null;
}
