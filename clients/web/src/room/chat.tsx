/** The chat of a room. */

import { counted } from "../ui/numbers";
import { Scroller } from "./log";
import type { Match, Saying } from "./match";
import { mute, muted } from "./muted";
import { colourOf } from "./seats";

export function Chat({ match }: { readonly match: Match }) {
  const { typed, trouble } = match.chatInput;
  const state = match.room.state;
  const isOff = state.about?.room_options.chat === false;
  const say = (event: Event): void => {
    event.preventDefault();
    void match.chatInput.say();
  };
  if (isOff) return <p class="empty tiny">Chat is off in this room.</p>;
  return (
    <>
      <Scroller label="Conversation" last={match.sayings.value.at(-1)?.id}>
        {match.sayings.value.length === 0 && (
          <p class="quiet">{state.seat === null ? "Only spectators see this chat." : "Say hello."}</p>
        )}
        {match.sayings.value.map((each) => (
          <Line key={each.id} match={match} saying={each} />
        ))}
      </Scroller>
      <form class="say" onSubmit={say}>
        <input
          class="input"
          value={typed.value}
          maxLength={300}
          placeholder="Message"
          aria-label="Message"
          autoComplete="off"
          onInput={(event) => match.chatInput.type(event.currentTarget.value)}
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

/** A message, or in place of a muted player's last one, the number of hidden messages. */
function Line({ match, saying }: { readonly match: Match; readonly saying: Saying }) {
  const { player, name, seat, text } = saying;
  const theirs = match.sayings.value.filter((each) => each.player === player);
  const isLast = theirs.at(-1) === saying;
  const isMuted = muted.value.includes(player);
  const verb = isMuted ? "show" : "mute";
  if (isMuted && !isLast) return null;
  return (
    <div class={isMuted ? "quiet" : ""}>
      {isMuted ? (
        `${counted(theirs.length, "message")} from ${name} hidden ·`
      ) : (
        <>
          <b style={seat === null ? undefined : { color: colourOf(match, seat) }}>{name}</b>
          {seat === null && <span class="quiet"> (watching)</span>} {text}
        </>
      )}
      {isLast && player !== match.room.player && (
        <button type="button" class="quiet tiny" aria-label={`${verb} ${name}`} onClick={() => mute(player, !isMuted)}>
          {verb}
        </button>
      )}
    </div>
  );
}
