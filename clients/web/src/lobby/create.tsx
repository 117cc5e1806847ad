/** The form of a new room, built from the schemas of game and room options. */

import { useRef, useState } from "preact/hooks";

import type { GameListing, View } from "warroom-client";
import { catalogue } from "../state";
import { ErrorText, useActionErrors } from "../ui/action_errors";
import { Decide, Dialog } from "../ui/dialog";
import { SchemaField } from "../ui/fields";
import { type Entry, entriesOf } from "../ui/schema";
import { createRoom } from "./actions";

const FIRST = ["turn_ms", "private"];
/** Options with game-specific defaults, which the server fills in. */
const GAMES_OWN = ["watch", "delay"];

interface Props {
  readonly game: GameListing;
  readonly onClose: () => void;
}

type Values = { readonly [key: string]: View };

export default function CreateDialog({ game, onClose }: Props) {
  const entries = entriesOf(game.options);
  const roomEntries = entriesOf(catalogue.value?.room_options ?? {}).map((entry) =>
    GAMES_OWN.includes(entry.name) ? { ...entry, mayBeNull: true, fallback: null } : entry,
  );
  const [seats, setSeats] = useState(String(game.usual_seats));
  const [options, setOptions] = useState<Values>(defaults(entries));
  const [roomOptions, setRoomOptions] = useState<Values>(defaults(roomEntries));
  const [fill, setFill] = useState(false);
  const { isBusy, trouble, begin } = useActionErrors();
  const isWanted = useRef(true);
  const cancel = (): void => {
    isWanted.current = false;
    onClose();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const settings = {
      game: game.game,
      seats: Number(seats),
      options: changed(entries, options),
      roomOptions: changed(roomEntries, roomOptions),
      fill,
    };
    // The answer may come after the user cancelled.
    const made = () => isWanted.current && onClose();
    const failed = (error: unknown) => isWanted.current && Promise.reject(error);
    begin(() => createRoom(settings, () => isWanted.current).then(made, failed));
  };
  const forRoom = (wanted: (entry: Entry) => boolean) =>
    roomEntries
      .filter(wanted)
      .map((entry) => (
        <SchemaField
          key={entry.name}
          entry={entry}
          value={roomOptions[entry.name] ?? null}
          onChange={(value) => setRoomOptions((now) => ({ ...now, [entry.name]: value }))}
        />
      ));
  return (
    <Dialog title={`Create a room: ${game.name}`} onClose={cancel}>
      <form onSubmit={submit} onInvalidCapture={(event) => unfold(event.target)}>
        <h2>A room for {game.name}</h2>
        {game.min_seats < game.max_seats && (
          <label class="field">
            <span class="name">players</span>
            <input
              class="input number"
              type="number"
              min={game.min_seats}
              max={game.max_seats}
              value={seats}
              required
              onInput={(event) => setSeats(event.currentTarget.value)}
            />
          </label>
        )}
        {forRoom((entry) => FIRST.includes(entry.name))}
        <label class="check">
          <input
            type="checkbox"
            checked={fill}
            disabled={!game.bots.length}
            onChange={(event) => setFill(event.currentTarget.checked)}
          />
          <span>
            <b>fill with bots</b>{" "}
            <span class="quiet tiny">
              {game.bots.length
                ? "bots take the other seats and the match starts at once"
                : "no bots are available for this game"}
            </span>
          </span>
        </label>
        {entries.length > 0 && (
          <details>
            <summary>Game options</summary>
            <div class="fields">
              {entries.map((entry) => (
                <SchemaField
                  key={entry.name}
                  entry={entry}
                  value={options[entry.name] ?? null}
                  onChange={(value) => setOptions((now) => ({ ...now, [entry.name]: value }))}
                />
              ))}
            </div>
          </details>
        )}
        <details>
          <summary>Room options</summary>
          <div class="fields">{forRoom((entry) => !FIRST.includes(entry.name))}</div>
        </details>
        <ErrorText>{trouble}</ErrorText>
        <Decide verb="Create and join" isBusy={isBusy} onCancel={cancel} />
      </form>
    </Dialog>
  );
}

/** Open the section of an invalid field: browsers report nothing about hidden fields, and the form would be stuck. */
function unfold(field: EventTarget | null): void {
  const folded = field instanceof Element ? field.closest("details") : null;
  if (folded) folded.open = true;
}

function defaults(entries: readonly Entry[]): Values {
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.fallback]));
}

/** The values that differ from the defaults; the server fills in the rest. */
function changed(entries: readonly Entry[], values: Values): Values {
  const different = entries.filter((entry) => values[entry.name] !== entry.fallback);
  return Object.fromEntries(different.map((entry) => [entry.name, values[entry.name] ?? null]));
}
