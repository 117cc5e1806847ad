/** What happened in the last step: who walked, who fought, what was hit. */

import type { GameEvent, PublicView } from "../../generated/games/timberwall";
import type { Place, Step } from "./field";
import { colourOf, middle, TILE, UnitShape } from "./marks";

const WALK_MS = 500;
const FIGHT_MS = 1300;
const HIT_MS = 700;
const POP_MS = 450;

const DURATIONS: { readonly [type in GameEvent["type"]]?: number } = {
  move: WALK_MS,
  merge: WALK_MS,
  attack: FIGHT_MS,
  base_hit: HIT_MS,
  wall_hit: HIT_MS,
  wall_built: POP_MS,
  wall_removed: POP_MS,
  deploy: POP_MS,
};

export function durationOf(events: readonly GameEvent[]): number {
  return Math.max(0, ...events.map((event) => DURATIONS[event.type] ?? 0));
}

export function Effects({ moment, pace }: { readonly moment: Step; readonly pace: number }) {
  return (
    <g class="tw-effects">
      {moment.events.map((event, index) => (
        <Effect key={index} event={event} view={moment.public} ms={(DURATIONS[event.type] ?? 0) * pace} />
      ))}
    </g>
  );
}

function Effect({ event, view, ms }: { readonly event: GameEvent; readonly view: PublicView; readonly ms: number }) {
  const style = { animationDuration: `${ms}ms` };
  switch (event.type) {
    case "move":
      return event.source && event.target ? (
        <g transform={middle(place(event.target))}>
          <g
            class="tw-walker"
            style={{
              ...style,
              "--from-x": `${(event.source[0] - event.target[0]) * TILE}px`,
              "--from-y": `${(event.source[1] - event.target[1]) * TILE}px`,
            }}
          >
            <UnitShape points={event.points} color={colourOf(view, event.seat)} />
          </g>
        </g>
      ) : null;
    case "attack":
      return (
        <g transform={middle(place(event.target))}>
          <path class="tw-clash" style={style} d="M-26 -26L26 26M26 -26L-26 26" />
          <text class="tw-told" style={style} y="-34">
            {event.attacker}
            {event.luck ? ` (${event.luck > 0 ? "CRIT +" : "MISS "}${event.luck})` : ""} : {event.defender}
          </text>
        </g>
      );
    case "base_hit": {
      const base = view.bases[1 - event.seat];
      return base ? <Told at={base} text={`−${event.damage}`} style={style} /> : null;
    }
    case "wall_hit":
      return <Told at={event} text={`−${event.damage}`} style={style} />;
    case "deploy":
      return <Told at={place(event.target)} text={`+${event.points}`} style={style} />;
    case "merge":
      return event.target && event.points ? (
        <Told at={place(event.target)} text={`= ${event.points}`} style={style} />
      ) : null;
    default:
      return null;
  }
}

function Told({
  at,
  text,
  style,
}: {
  readonly at: Place;
  readonly text: string;
  readonly style: { readonly animationDuration: string };
}) {
  return (
    <g transform={middle(at)}>
      <text class="tw-told" style={style} y="-20">
        {text}
      </text>
    </g>
  );
}

function place([x, y]: readonly [number, number]): Place {
  return { x, y };
}
