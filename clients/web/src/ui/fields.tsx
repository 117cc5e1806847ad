/** Form fields built from a schema. */

import { useId, useState } from "preact/hooks";

import type { View } from "warroom-client";
import { type Entry, inWords } from "./schema";

interface Props {
  readonly entry: Entry;
  readonly value: View;
  readonly onChange: (value: View) => void;
}

const MS_PER_S = 1000;

export function SchemaField({ entry, value, onChange }: Props) {
  const id = useId();
  if (entry.kind === "switch") {
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span>
          <b>{inWords(entry.name)}</b> <span class="quiet tiny">{entry.help}</span>
        </span>
      </label>
    );
  }
  return (
    <div class="field">
      <label class="name" for={id}>
        {inWords(entry.name)}
      </label>
      <Control id={id} entry={entry} value={value} onChange={onChange} />
      {entry.help && (
        <span class="help" id={`${id}-help`}>
          {entry.help.replace("milliseconds", "seconds")}
        </span>
      )}
    </div>
  );
}

type ControlProps = Props & { readonly id: string };

function Control({ id, entry, value, onChange }: ControlProps) {
  if (entry.kind === "choice") {
    return (
      <select
        id={id}
        aria-describedby={`${id}-help`}
        class="select"
        value={JSON.stringify(value)}
        onChange={(event) => onChange(JSON.parse(event.currentTarget.value) as View)}
      >
        {entry.mayBeNull && <option value="null">default</option>}
        {entry.choices.map((choice) => (
          <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
            {inWords(String(choice))}
          </option>
        ))}
      </select>
    );
  }
  if (entry.kind === "number") return <NumberInput id={id} entry={entry} value={value} onChange={onChange} />;
  return (
    <input
      id={id}
      aria-describedby={`${id}-help`}
      class="input"
      value={typeof value === "string" ? value : ""}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A whole number; times are shown in seconds. The text stays as typed, whatever else changes. */
function NumberInput({ id, entry, value, onChange }: ControlProps) {
  const unit = entry.name.endsWith("_ms") ? MS_PER_S : 1;
  const [text, setText] = useState(typeof value === "number" ? String(value / unit) : "");
  const shown = (bound: number | null): number | undefined => (bound === null ? undefined : bound / unit);
  const read = (text: string): View =>
    text === "" ? (entry.mayBeNull ? null : entry.fallback) : Math.round(Number(text) * unit);
  return (
    <input
      id={id}
      aria-describedby={`${id}-help`}
      class="input number"
      type="number"
      inputMode="decimal"
      step={unit === 1 ? 1 : "any"}
      min={shown(entry.minimum)}
      max={shown(entry.maximum)}
      value={text}
      placeholder={entry.mayBeNull ? "default" : undefined}
      required={!entry.mayBeNull}
      onInput={(event) => {
        setText(event.currentTarget.value);
        onChange(read(event.currentTarget.value));
      }}
    />
  );
}
