/** What a local match begins with: a new one by seats, seed and options, or that of a replay. */

import { useState } from "preact/hooks";

import type { View } from "warroom-client";
import { gameOf } from "../state";
import { SchemaField } from "../ui/fields";
import { entriesOf } from "../ui/schema";
import { type LocalMatch, newSetup, type Shown } from "./local_match";

const FILE = "local.warroom";

export function SetupForm({ match, shown }: { readonly match: LocalMatch; readonly shown: Shown }) {
  const game = gameOf(match.game);
  const { setup, answer } = shown;
  const [seats, setSeats] = useState(String(answer.seats));
  const [seed, setSeed] = useState(setup.seed);
  const [options, setOptions] = useState<{ readonly [key: string]: View }>(answer.options);
  if (!game) return null;
  const submit = (event: Event): void => {
    event.preventDefault();
    void match.begin({ ...newSetup(match.game), seats: Number(seats), seed, options });
  };
  return (
    <details class="sheet pad">
      <summary>New match</summary>
      <form class="stack tight" onSubmit={submit}>
        <label class="field">
          <span class="name">players</span>
          <input
            class="input number"
            type="number"
            min={game.min_seats}
            max={game.max_seats}
            required
            value={seats}
            onInput={(event) => setSeats(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="name">seed</span>
          <input
            class="input"
            value={seed}
            aria-describedby="seed-help"
            onInput={(event) => setSeed(event.currentTarget.value)}
          />
          <span class="help" id="seed-help">
            any text, as for warroom simulate, or the 32 hexadecimal digits of a replay
          </span>
        </label>
        {entriesOf(game.options).map((entry) => (
          <SchemaField
            key={entry.name}
            entry={entry}
            value={options[entry.name] ?? entry.fallback}
            onChange={(value) => setOptions((now) => ({ ...now, [entry.name]: value }))}
          />
        ))}
        <div>
          <button type="submit" class="button small">
            Begin
          </button>
        </div>
      </form>
    </details>
  );
}

export function Files({ match }: { readonly match: LocalMatch }) {
  const [told, setTold] = useState("");
  const importing = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (!file) return;
    const omitted = await match.importReplay(async () => new Uint8Array(await file.arrayBuffer()));
    setTold(omitted === null ? "" : importedText(omitted));
    input.value = ""; // the same file can be chosen again
  };
  const exporting = async (): Promise<void> => {
    const file = await match.exportReplay();
    if (file) save(file);
    setTold(file ? `Saved. Show it with: warroom replay ${FILE} --states` : "");
  };
  return (
    <details class="sheet pad">
      <summary>Replay files</summary>
      <div class="stack tight">
        <label class="field">
          <span class="name">open a replay</span>
          <input class="input" type="file" onChange={(event) => void importing(event.currentTarget)} />
          <span class="help">from Download full match, warroom fetch, or warroom simulate with --out</span>
        </label>
        <div>
          <button type="button" class="button small" onClick={() => void exporting()}>
            Save as a replay
          </button>
        </div>
        <p class="tiny" role="status">
          {told}
        </p>
      </div>
    </details>
  );
}

export function importedText(omitted: number): string {
  const left = omitted === 1 ? "1 entry" : `${omitted} entries`;
  return omitted ? `Opened, without ${left} that change nothing in the game, such as pauses.` : "Opened.";
}

function save(file: Uint8Array<ArrayBuffer>): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file], { type: "application/octet-stream" }));
  link.download = FILE;
  link.click();
  URL.revokeObjectURL(link.href);
}
