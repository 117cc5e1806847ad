/** Edits the full state of a match as JSON text; an error selects its place. */

import { useEffect, useRef, useState } from "preact/hooks";

import { sentence } from "../client/error_text";
import { JsonError, lineOf, placesIn, type Span } from "./json_places";
import type { Failure } from "./questions";

interface Props {
  readonly text: string;
  /** How many moves follow. */
  readonly later: number;
  readonly onApply: (text: string, keepsLater: boolean) => Promise<Failure | null>;
  readonly onClose: () => void;
}

/** Lines shown above a place. */
const LINES_ABOVE = 4;

interface Wrong {
  readonly text: string;
  readonly place: Span | null;
}

export function StateEditor({ text, later, onApply, onClose }: Props) {
  const [typed, setTyped] = useState(text);
  const [keepsLater, setKeepsLater] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const fail = (problem: Wrong): void => {
    setWrong(problem);
    area.current?.focus();
    if (problem.place && area.current) select(area.current, problem.place);
  };
  const apply = async (event: Event): Promise<void> => {
    event.preventDefault();
    const problem = wrongIn(typed) ?? told(typed, await onApply(typed, keepsLater));
    if (problem) fail(problem);
    else onClose();
  };
  return (
    <form class="stack tight" onSubmit={(event) => void apply(event)}>
      <textarea
        ref={area}
        class="input code"
        aria-label="Full state as JSON"
        aria-invalid={wrong !== null}
        aria-describedby="state-error"
        rows={20}
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(null);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      />
      <div id="state-error" aria-live="assertive">
        {wrong && <p class="refusal">{wrong.text}</p>}
      </div>
      {later > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={keepsLater}
            onChange={(event) => setKeepsLater(event.currentTarget.checked)}
          />
          <span>
            <b>replay the later moves</b>{" "}
            <span class="quiet tiny">{later === 1 ? "1 move" : `${later} moves`}, as far as the rules allow them</span>
          </span>
        </label>
      )}
      <div class="row">
        <button type="submit" class="button main small">
          Continue from this state
        </button>
        <button type="button" class="button small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function wrongIn(text: string): Wrong | null {
  try {
    placesIn(text);
    return null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const place = { start: error.at, end: Math.min(error.at + 1, text.length) };
    return { text: sentence(`${lineOf(text, error.at)}: ${error.message}`), place };
  }
}

function told(text: string, failure: Failure | null): Wrong | null {
  if (!failure) return null;
  const place = placesIn(text).get(failure.path) ?? null;
  const where = place ? `${lineOf(text, place.start)} (${failure.path}): ` : "";
  return { text: sentence(where + failure.text), place };
}

/** Select a place and scroll to it, which browsers do not do by themselves. */
function select(area: HTMLTextAreaElement, { start, end }: Span): void {
  area.setSelectionRange(start, end);
  const lines = area.value.split("\n").length;
  const line = area.value.slice(0, start).split("\n").length;
  area.scrollTop = (area.scrollHeight / lines) * (line - LINES_ABOVE);
}
