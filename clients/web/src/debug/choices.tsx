/** What the seats to act may do: a legal action, any other action, a random one, the clock, or to resign. */

import { useEffect, useState } from "preact/hooks";
import type { View } from "warroom-client";
import { inWords, sentence } from "../client/error_text";
import { ErrorText } from "../ui/action_errors";
import { inShort, type LocalMatch, type Shown } from "./local_match";
import type { Choice, Move } from "./questions";

const MANY = 10;

export function Choices({ match, shown }: { readonly match: LocalMatch; readonly shown: Shown }) {
  const { choices, complete } = shown.answer;
  const [trouble, setTrouble] = useState("");
  useEffect(() => setTrouble(""), [shown]);
  const play = async (move: Move): Promise<void> => {
    const failure = await match.play(move);
    setTrouble(failure ? `${sentence(failure.text)} (${failure.code})` : "");
  };
  if (!choices.length) return <Result shown={shown} />;
  return (
    <section class="sheet pad stack" aria-label="Play">
      <div class="row">
        <button type="button" class="button main small" onClick={() => void match.playRandom(1)}>
          Random move
        </button>
        <button type="button" class="button small" onClick={() => void match.playRandom(MANY)}>
          {MANY} random moves
        </button>
      </div>
      {choices.map((choice) => (
        <SeatChoice
          key={`${shown.step} ${choice.seat}`}
          choice={choice}
          isComplete={complete}
          onPlay={(move) => void play(move)}
          onError={(error) => setTrouble(inWords(error))}
        />
      ))}
      <ErrorText>{trouble}</ErrorText>
    </section>
  );
}

interface Props {
  readonly choice: Choice;
  readonly isComplete: boolean;
  readonly onPlay: (move: Move) => void;
  readonly onError: (error: unknown) => void;
}

function SeatChoice({ choice, isComplete, onPlay, onError }: Props) {
  const { seat, actions, notes } = choice;
  const [text, setText] = useState(JSON.stringify(actions[0] ?? choice.default));
  const submit = (event: Event): void => {
    event.preventDefault();
    try {
      onPlay({ type: "act", seat, action: JSON.parse(text) as View });
    } catch (error) {
      onError(error);
    }
  };
  return (
    <form class="stack tight" aria-label={`Seat ${seat}`} onSubmit={submit}>
      <label class="field">
        <span class="name">
          seat {seat}: {actions.length} {isComplete ? "legal actions" : "of the legal actions"}
        </span>
        <select class="select" onChange={(event) => setText(event.currentTarget.value)}>
          {actions.map((action, index) => (
            <option key={index} value={JSON.stringify(action)}>
              {inShort(action)}
              {notes[index] && ` (${notes[index]})`}
            </option>
          ))}
        </select>
      </label>
      <input
        class="input code"
        aria-label={`Action of seat ${seat} as JSON`}
        spellcheck={false}
        autoComplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="row">
        <button type="submit" class="button small">
          Play
        </button>
        <button
          type="button"
          class="button small"
          title={inShort(choice.default)}
          onClick={() => onPlay({ type: "clock", seat })}
        >
          Time out
        </button>
        <button type="button" class="button small" onClick={() => onPlay({ type: "resign", seat })}>
          Resign
        </button>
      </div>
    </form>
  );
}

function Result({ shown }: { readonly shown: Shown }) {
  const result = shown.answer.steps.at(-1)?.result;
  return (
    <section class="sheet pad stack tight" aria-label="Play">
      <p>
        The match is over{result && `: ${result.reason}, ranks by seat ${result.ranks.join(", ")}`}. Step back to play
        on.
      </p>
    </section>
  );
}
