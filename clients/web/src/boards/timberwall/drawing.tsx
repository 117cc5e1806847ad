/** Draws the field: ground, fog, forests, bases, walls, units. */

import type { Base, PublicView } from "warroom-client/games/timberwall";
import { BASE_HP, type Edge, GROWN, type Place, rankOf, type Sight, STILL } from "./position";

export const TILE = 60;
/** The margin around the field, for tile numbers. */
export const EDGE = 26;

export function colourOf(view: PublicView, seat: number): string {
  return `var(--${view.colors[seat]})`;
}

export function middle({ x, y }: Place): string {
  return `translate(${(x + 0.5) * TILE} ${(y + 0.5) * TILE})`;
}

/** The two ends of an edge. */
export function ends({ x, y, side }: Edge): { x1: number; y1: number; x2: number; y2: number } {
  const [right, below] = [(x + 1) * TILE, (y + 1) * TILE];
  return side === "east"
    ? { x1: right, y1: y * TILE, x2: right, y2: below }
    : { x1: x * TILE, y1: below, x2: right, y2: below };
}

/** The area that is closer to an edge than to any other: up to the centres of its two tiles. */
export function near(edge: Edge): string {
  const { x1, y1, x2, y2 } = ends(edge);
  const [x, y, half] = [(x1 + x2) / 2, (y1 + y2) / 2, TILE / 2];
  return `M${x - half} ${y}L${x} ${y - half}L${x + half} ${y}L${x} ${y + half}z`;
}

/** The tile numbers that the log uses. */
export function Coordinates({ size }: { readonly size: number }) {
  return (
    <g class="tw-coordinates">
      {Array.from({ length: size }, (_, index) => (
        <g key={index}>
          <text x={(index + 0.5) * TILE} y={-EDGE / 2}>
            {index}
          </text>
          <text x={-EDGE / 2} y={(index + 0.5) * TILE}>
            {index}
          </text>
        </g>
      ))}
    </g>
  );
}

export function Ground({ view }: { readonly view: PublicView }) {
  const size = view.options.size;
  const side = size * TILE;
  const lines = Array.from(
    { length: size - 1 },
    (_, index) => `M0 ${(index + 1) * TILE}H${side}M${(index + 1) * TILE} 0V${side}`,
  );
  return (
    <>
      <rect class="tw-ground" width={side} height={side} />
      <path class="tw-grid" d={lines.join("")} />
      {view.forests.map(([x, y]) => (
        <ForestFloor key={`${x},${y}`} at={{ x, y }} />
      ))}
    </>
  );
}

/** The forests, drawn above the fog because everybody knows them. */
export function Forests({ view, sight }: { readonly view: PublicView; readonly sight: Sight }) {
  return (
    <>
      {view.forests.map(([x, y]) => (
        <Forest key={`${x},${y}`} at={{ x, y }} stage={stageAt(sight, { x, y })} />
      ))}
    </>
  );
}

/** The bases, drawn above the fog because everybody knows their health. */
export function Bases({ view }: { readonly view: PublicView }) {
  return (
    <>
      {view.bases.map((base, seat) => (
        <BaseMark key={seat} base={base} color={colourOf(view, seat)} />
      ))}
    </>
  );
}

/** The progress of a forest towards giving wood. */
function stageAt(sight: Sight, { x, y }: Place): number {
  return sight.units.find((unit) => unit.x === x && unit.y === y)?.forest ?? 0;
}

export function ForestFloor({ at }: { readonly at: Place }) {
  return <rect class="tw-floor" x={at.x * TILE} y={at.y * TILE} width={TILE} height={TILE} />;
}

/** Three seedlings that become trees one by one. */
export function Forest({ at, stage }: { readonly at: Place; readonly stage: number }) {
  return (
    <g class="tw-forest" transform={middle(at)}>
      {Array.from({ length: GROWN }, (_, index) => (
        <path
          key={index}
          class={stage > index ? "tw-tree" : undefined}
          transform={`translate(${(index - 1) * 17} ${index === 1 ? -14 : -8})`}
          d={
            stage > index
              ? "M0 -12l9 13h-5l5 8h-18l5 -8h-5zM-2 9h4v5h-4z"
              : "M-1 8v-7c-5 0 -7 -3 -7 -6c4 0 7 1 8 5c1 -4 4 -5 8 -5c0 3 -2 6 -7 6v7z"
          }
        />
      ))}
    </g>
  );
}

/** A castle with its health, as a number and as a bar that does not touch the walls. */
export function BaseMark({ base, color }: { readonly base: Base; readonly color: string }) {
  const hp = Math.max(0, base.hp);
  return (
    <g transform={middle(base)} class="tw-base">
      <title>{`Base, ${hp} of ${BASE_HP}`}</title>
      <path class="tw-body" d="M-22 12v-34h9v7h8v-7h10v7h8v-7h9v34z" style={{ fill: color }} />
      <text class="tw-points" y="7">
        {hp}
      </text>
      <rect class="tw-bar" x="-22" y="15" width="44" height="8" rx="2" />
      <rect class="tw-health" x="-20" y="17" width={(40 * hp) / BASE_HP} height="4" />
    </g>
  );
}

/** Dims tiles out of sight, and hides unexplored ones. */
export function Fog({ sight }: { readonly sight: Sight }) {
  if (!sight.tiles) return null;
  const runs = sight.tiles.flatMap((row, y) =>
    [...row.matchAll(/-+|\?+/g)].map((run) => ({ y, x: run.index, tiles: run[0] })),
  );
  return (
    <g class="tw-fog">
      {runs.map(({ x, y, tiles }) => (
        <rect
          key={`${x},${y}`}
          class={tiles[0] === "?" ? "tw-unknown" : "tw-dim"}
          x={x * TILE}
          y={y * TILE}
          width={tiles.length * TILE}
          height={TILE}
        />
      ))}
    </g>
  );
}

export function Walls({ view, sight }: { readonly view: PublicView; readonly sight: Sight }) {
  return (
    <g class="tw-walls">
      {sight.cooling.map((edge) => (
        <line key={`c${edge.x},${edge.y}${edge.side}`} class="tw-cooling" {...ends(edge)}>
          <title>{`Cooling until round ${edge.ready_round}`}</title>
        </line>
      ))}
      {sight.neutral.map((edge) => (
        <line key={`n${edge.x},${edge.y}${edge.side}`} class="tw-neutral" {...ends(edge)} />
      ))}
      {sight.walls.map((wall) => (
        <line
          key={`w${wall.x},${wall.y}${wall.side}`}
          class="tw-wall"
          {...ends(wall)}
          style={{ stroke: colourOf(view, wall.owner), opacity: 0.35 + (0.65 * wall.hp) / 100 }}
        >
          <title>{`Wall of ${view.colors[wall.owner]}, ${wall.hp} HP`}</title>
        </line>
      ))}
    </g>
  );
}

/** Four tiers, four shapes: disc, square, hexagon, star. */
const SHAPES = [
  "M0 -17a17 17 0 1 0 .01 0z",
  "M-16 -16h32v32h-32z",
  "M-19 0l9.5 -17h19l9.5 17l-9.5 17h-19z",
  "M0 -23l6 9l11 -4l-1 12l10 6l-10 6l1 12l-11 -4l-6 9l-6 -9l-11 4l1 -12l-10 -6l10 -6l-1 -12l11 4z",
] as const;

interface UnitShapeProps {
  readonly points: number;
  readonly color: string;
  readonly isShielded?: boolean;
}

export function UnitShape({ points, color, isShielded = false }: UnitShapeProps) {
  const { tier, level } = rankOf(points);
  return (
    <>
      <path class="tw-body" d={SHAPES[tier - 1]} style={{ fill: color }} />
      {isShielded && <path class="tw-shield" d="M12 -24h12v7c0 5 -3 7 -6 9c-3 -2 -6 -4 -6 -9z" />}
      <text class={points < 100 ? "tw-points" : "tw-points tw-many"} y="6">
        {points}
      </text>
      <g class="tw-level">
        {Array.from({ length: level }, (_, index) => (
          <circle key={index} cx={(index - (level - 1) / 2) * 6} cy="25" r="2" />
        ))}
      </g>
    </>
  );
}

export function unitLabel(unit: { points: number; still: number; x: number; y: number }, color: string): string {
  const { tier, level } = rankOf(unit.points);
  const shield = unit.still >= STILL ? ", shield" : "";
  return `${color} unit at ${unit.x}, ${unit.y}: ${unit.points} points, tier ${tier} level ${level}${shield}`;
}
