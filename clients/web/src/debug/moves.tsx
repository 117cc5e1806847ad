/** The moves of a local match, and the way through its steps. */

import { useEffect, useRef } from "preact/hooks";

import { inShort, type LocalMatch, type Shown } from "./local_match";
import type { Move } from "./questions";

interface Props {
  readonly match: LocalMatch;
  readonly shown: Shown;
}

const TAKES_KEYS = "input, select, textarea, summary, [role=tab], [data-board]";

/** Left and right arrow keys step, unless another element uses them. */
export function Stepper({ match, shown }: Props) {
  const { step, answer } = shown;
  const last = answer.turns.length - 1;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(TAKES_KEYS)) return;
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      void match.go(step + by);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const ways: readonly (readonly [string, string, number])[] = [
    ["First step", "M3 3h2v10H3zM13 3v10L6 8z", 0],
    ["Previous step", "M12 3v10L4 8z", step - 1],
    ["Next step", "M4 3v10l8-5z", step + 1],
    ["Last step", "M11 3h2v10h-2zM3 3v10l7-5z", last],
  ];
  return (
    <section class="sheet pad stack tight" aria-label="Steps">
      <div class="row">
        {ways.map(([name, icon, to]) => (
          <button key={name} type="button" class="button small" aria-label={name} onClick={() => void match.go(to)}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d={icon} fill="currentColor" />
            </svg>
          </button>
        ))}
        <button
          type="button"
          class="button small"
          aria-disabled={!match.undoable.value.length}
          onClick={() => void match.undo()}
        >
          Undo
        </button>
        <span class="tiny quiet number" role="status">
          Step {step} of {last} · turn {answer.turns[step]}
        </span>
      </div>
      <input
        type="range"
        min={0}
        max={last}
        value={step}
        aria-label="Step of the match"
        onInput={(event) => void match.go(Number(event.currentTarget.value))}
      />
    </section>
  );
}

export function Moves({ match, shown }: Props) {
  const { setup, step, answer } = shown;
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: "nearest" }), [step, setup]);
  const { failure } = answer;
  const rows = ["the match begins", ...setup.moves.map(told)];
  return (
    <section class="sheet pad stack tight" aria-label="Moves">
      <ol class="move-list">
        {rows.map((text, index) => (
          <li key={index}>
            <button
              type="button"
              ref={index === step ? current : null}
              class={index < answer.turns.length ? "" : "quiet"}
              aria-current={index === step ? "step" : undefined}
              aria-disabled={index >= answer.turns.length}
              onClick={() => void match.go(index)}
            >
              <span class="number quiet">{index}</span> {text}
            </button>
          </li>
        ))}
      </ol>
      {failure && (
        <p class="refusal">
          Move {failure.move + 1} does not fit any more: {failure.text} ({failure.code})
        </p>
      )}
      {step < setup.moves.length && (
        <div>
          <button type="button" class="button small" onClick={() => void match.cut()}>
            Drop the moves after step {step}
          </button>
        </div>
      )}
    </section>
  );
}

function told(move: Move): string {
  switch (move.type) {
    case "act":
      return `seat ${move.seat}: ${inShort(move.action)}`;
    case "clock":
      return `seat ${move.seat}: out of time`;
    case "resign":
      return `seat ${move.seat}: resigns`;
    case "draw":
      return "all agree on a draw";
    case "edit":
      return "edited state";
  }
}
