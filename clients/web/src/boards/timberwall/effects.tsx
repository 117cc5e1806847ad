/** The last step: moves, fights, hits. */

import type { GameEvent, PublicView } from "warroom-client/games/timberwall";
import { colourOf, ends, middle, TILE, UnitShape } from "./drawing";
import { place, type Walk } from "./movement";
import type { Edge, Place, Step } from "./position";

export const WALK_MS = 500;
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

interface EffectsProps {
  readonly moment: Step;
  readonly walks: readonly Walk[];
  readonly pace: number;
}

export function Effects({ moment, walks, pace }: EffectsProps) {
  return (
    <g class="tw-effects">
      {walks.map((walk, index) => (
        <Walker key={index} walk={walk} color={colourOf(moment.public, walk.seat)} ms={WALK_MS * pace} />
      ))}
      {moment.events.map((event, index) => (
        <Effect key={index} event={event} view={moment.public} ms={(DURATIONS[event.type] ?? 0) * pace} />
      ))}
    </g>
  );
}

function Effect({ event, view, ms }: { readonly event: GameEvent; readonly view: PublicView; readonly ms: number }) {
  const style = { animationDuration: `${ms}ms` };
  switch (event.type) {
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
      return (
        <>
          <EdgeMark edge={event} part="struck" color="var(--accent)" style={style} />
          <Told at={event} text={`−${event.damage}`} style={style} />
        </>
      );
    case "wall_built":
      return <EdgeMark edge={event} part="rising" color={colourOf(view, event.seat)} style={style} />;
    case "wall_removed":
      return <EdgeMark edge={event} part="falling" color={colourOf(view, event.seat)} style={style} />;
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

type Timed = { readonly animationDuration: string };

/** A moving unit, and the unit that it will merge with. */
function Walker({ walk, color, ms }: { readonly walk: Walk; readonly color: string; readonly ms: number }) {
  const { source, target, points, met } = walk;
  const style = { animationDuration: `${ms}ms` };
  const from = {
    "--from-x": `${(source.x - target.x) * TILE}px`,
    "--from-y": `${(source.y - target.y) * TILE}px`,
  };
  return (
    <g transform={middle(target)}>
      {met !== null && (
        <g class="tw-met" style={style}>
          <UnitShape points={met} color={color} />
        </g>
      )}
      <g class="tw-walker" style={{ ...style, ...from }}>
        <UnitShape points={points} color={color} />
      </g>
    </g>
  );
}

interface EdgeMarkProps {
  readonly edge: Edge;
  readonly part: "rising" | "falling" | "struck";
  readonly color: string;
  readonly style: Timed;
}

/** A wall that appears, disappears or is hit. */
function EdgeMark({ edge, part, color, style }: EdgeMarkProps) {
  return <line class={`tw-wall tw-${part}`} {...ends(edge)} style={{ ...style, stroke: color }} />;
}

function Told({ at, text, style }: { readonly at: Place; readonly text: string; readonly style: Timed }) {
  return (
    <g transform={middle(at)}>
      <text class="tw-told" style={style} y="-20">
        {text}
      </text>
    </g>
  );
}
