/** The last step: attacks, moves, builds. */

import type { GameEvent } from "warroom-client/games/tile_blitz";
import * as blitz from "./position";
import { type Step, TILE } from "./types";

const STRIKE_MS = 520;
const WALK_MS = 380;
const BUILD_MS = 320;

const DURATIONS: { readonly [type in GameEvent["type"]]?: number } = {
  attack: STRIKE_MS,
  move: WALK_MS,
  infantry: BUILD_MS,
  tank: BUILD_MS,
};

/** The animation time of a step's events, which run in parallel. */
export function durationOf(events: readonly GameEvent[]): number {
  return Math.max(0, ...events.map((event) => DURATIONS[event.type] ?? 0));
}

function centre(id: number): { readonly x: number; readonly y: number } {
  const [x, y] = blitz.placeOf(id);
  return { x: (y + 0.5) * TILE, y: (x + 0.5) * TILE };
}

export function Effects({ moment, pace }: { readonly moment: Step; readonly pace: number }) {
  const before = moment.before?.public;
  return (
    <g class="tb-effects">
      {moment.events.map((event, index) => {
        switch (event.type) {
          case "attack": {
            const [from, to] = [centre(event.source), centre(event.target)];
            const former = before ? blitz.tileAt(before, event.target) : null;
            const style = { animationDuration: `${STRIKE_MS * pace}ms` };
            return (
              <g key={index}>
                {former && (
                  <rect
                    class="tb-former"
                    x={to.x - 48}
                    y={to.y - 48}
                    width="96"
                    height="96"
                    rx="6"
                    style={{ ...style, fill: former.color ? `var(--tb-${former.color})` : "var(--well)" }}
                  />
                )}
                <line class="tb-strike" x1={from.x} y1={from.y} x2={to.x} y2={to.y} style={style} />
                <text class="tb-told" x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 + 9} style={style}>
                  {event.power} : {event.defence}
                </text>
              </g>
            );
          }
          case "move":
            return (
              <polyline
                key={index}
                class="tb-walk"
                points={event.path.map((id) => `${centre(id).x},${centre(id).y}`).join(" ")}
                style={{ animationDuration: `${WALK_MS * pace}ms` }}
              />
            );
          case "infantry":
          case "tank":
            return (
              <text
                key={index}
                class="tb-told"
                x={centre(event.tile).x}
                y={centre(event.tile).y - 8}
                style={{ animationDuration: `${BUILD_MS * pace}ms` }}
              >
                {event.type === "tank" ? "+tank" : `+${event.count}`}
              </text>
            );
          default:
            return null;
        }
      })}
    </g>
  );
}
