/** The conversation of a room. */

import { Scroller } from "./log";
import type { Match } from "./match";
import { colourOf } from "./seats";

export function Chat({ match }: { readonly match: Match }) {
  const { typed, trouble } = match.talk;
  const state = match.room.state.value;
  const isOff = state.about?.room_options.chat === false;
  const say = (event: Event): void => {
    event.preventDefault();
    void match.talk.say();
  };
  if (isOff) return <p class="empty tiny">Nobody may talk in this room.</p>;
  return (
    <>
      <Scroller label="Conversation" last={match.sayings.value.at(-1)?.id}>
        {match.sayings.value.length === 0 && (
          <p class="quiet">{state.seat === null ? "What you say here, other spectators hear." : "Say hello."}</p>
        )}
        {match.sayings.value.map((each) => (
          <div key={each.id}>
            <b style={each.seat === null ? undefined : { color: colourOf(match, each.seat) }}>{each.name}</b>
            {each.seat === null && <span class="quiet"> (watching)</span>} {each.text}
          </div>
        ))}
      </Scroller>
      <form class="say" onSubmit={say}>
        <input
          class="input"
          value={typed.value}
          maxLength={300}
          placeholder="Say something"
          aria-label="Say something"
          autoComplete="off"
          onInput={(event) => match.talk.type(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={!typed.value.trim()}>
          Say
        </button>
        {trouble.value && (
          <span class="tiny refusal" role="alert">
            {trouble.value}
          </span>
        )}
      </form>
    </>
  );
}
