/** Visual rules: units, forests, walls, merging, luck, the shield, both victories. */

import type { ComponentChildren } from "preact";
import { BaseMark, Forest, ForestFloor, TILE, UnitShape } from "./drawing";
import { BASE_HP, GROWN, rangeOf, STILL, STREAK } from "./position";
import { Bar } from "./progress";

const TIERS = [
  { role: "Scouts: cheap, take forests, three hits for a wall", luck: 1 },
  { role: "Guards: hold forests, two hits for a wall", luck: 2 },
  { role: "Hunters: break any wall with one hit", luck: 4 },
  { role: "Giants: end matches, and are worth a siege", luck: 8 },
];

export default function Rules() {
  return (
    <div class="tw-rules stack">
      <h3>Units</h3>
      <ul class="stack">
        {TIERS.map(({ role, luck }, index) => {
          const { least, most, levels } = rangeOf(index + 1);
          return (
            <li key={index} class="tw-card">
              <svg viewBox="-30 -30 60 62" role="img" aria-label={`Tier ${index + 1}`}>
                <UnitShape points={least} color="var(--green)" />
              </svg>
              <span>
                <b>
                  Tier {index + 1}: {least} to {most} points
                </b>
                , luck ±{luck}. {role}. Levels from {levels.join(", ")}.
              </span>
            </li>
          );
        })}
      </ul>
      <h3>Forests</h3>
      <Card
        caption={`Stay for ${GROWN} of your turn ends, then each brings 2 wood. A forest is yours while you stand in it.`}
        width={4}
      >
        {[0, 1, 2, 3].map((stage) => (
          <g key={stage}>
            <ForestFloor at={{ x: stage, y: 0 }} />
            <Forest at={{ x: stage, y: 0 }} stage={stage} />
          </g>
        ))}
      </Card>
      <h3>Walls</h3>
      <Card
        caption="One per turn, 10 wood, on an edge beside a unit. Walls block; hits of 34, 51 or 100 break them, and the edge cools for 5 rounds."
        width={3}
      >
        <Piece x={0} points={2} color="var(--green)" />
        <line x1={TILE * 1.5} y1="4" x2={TILE * 1.5} y2={TILE - 4} stroke="var(--green)" stroke-width="8" />
        <Piece x={2} points={5} color="var(--red)" />
      </Card>
      <ul class="tw-legend">
        <li>
          <i style={{ background: "var(--green)" }} /> green's walls
        </li>
        <li>
          <i style={{ background: "var(--red)" }} /> red's walls
        </li>
        <li>
          <i style={{ background: "var(--tw-neutral)" }} /> neutral: nobody builds them, one hit breaks them
        </li>
      </ul>
      <h3>Merging</h3>
      <Card caption="A unit moves into one of the same tier, and the points add up: 4 and 1 make a tier 2." width={5}>
        <Piece x={0} points={4} color="var(--green)" />
        <Sign x={1} text="+" />
        <Piece x={2} points={1} color="var(--green)" />
        <Sign x={3} text="=" />
        <Piece x={4} points={5} color="var(--green)" />
      </Card>
      <h3>Combat and luck</h3>
      <p>The stronger side is left with the difference. Six of ten attacks have no luck bonus:</p>
      <Fight told="10 : 7" left={3} caption="10 against 7 leaves 3." />
      <Fight
        told="10 + 2 : 7"
        luck="CRIT +2"
        left={5}
        caption="Two of ten bring a CRIT: the luck of the tier is added."
      />
      <Fight told="10 − 2 : 7" luck="MISS -2" left={1} caption="Two of ten are a MISS: it is taken away." />
      <Card
        caption={`A unit that was still for ${STILL} turns defends with a shield (+1), one beside a friend of its tier with support (+1).`}
        width={5}
      >
        <Piece x={0} points={5} color="var(--green)" isShielded />
        <Sign x={1} text="+1" />
        <Piece x={2} points={5} color="var(--green)" />
        <Piece x={3} points={5} color="var(--green)" />
        <Sign x={4} text="+1" />
      </Card>
      <h3>Victory</h3>
      <Card caption={`Domination: hits take their points from the enemy base, from ${BASE_HP} to 0.`} width={5}>
        {[BASE_HP, 60, 25].map((hp, index) => (
          <g key={hp}>
            <BaseMark base={{ x: 2 * index, y: 0, hp }} color="var(--red)" />
            {index > 0 && <Sign x={2 * index - 1} text="→" />}
          </g>
        ))}
      </Card>
      <figure>
        {(["green", "red"] as const).map((side) => (
          <p key={side} class="tw-side tw-sample" style={{ "--of": `var(--${side})` }}>
            <Bar name={side} now={side === "green" ? 10 : 0} most={10} />
            {side === "green" && <Bar name="held all" now={7} most={STREAK} />}
          </p>
        ))}
        <figcaption>Monopoly: stand in every forest at {STREAK} of your turn ends in a row.</figcaption>
      </figure>
    </div>
  );
}

interface FightProps {
  readonly told: string;
  readonly luck?: string;
  readonly left: number;
  readonly caption: string;
}

/** A unit of 10 points attacks one of 7. */
function Fight({ told, luck, left, caption }: FightProps) {
  return (
    <Card caption={caption} width={6}>
      <Piece x={0} points={10} color="var(--green)" />
      <Piece x={1} points={7} color="var(--red)" />
      <text class="tw-sign" x={TILE * 3.25} y={luck ? TILE / 2 - 4 : TILE / 2 + 8}>
        {told}
      </text>
      {luck && (
        <text class={`tw-luck ${luck.startsWith("CRIT") ? "tw-crit" : ""}`} x={TILE * 3.25} y={TILE - 8}>
          {luck}
        </text>
      )}
      <Sign x={4.35} text="→" />
      <Piece x={5} points={left} color="var(--green)" />
    </Card>
  );
}

function Card({
  caption,
  width,
  children,
}: {
  readonly caption: string;
  readonly width: number;
  readonly children: ComponentChildren;
}) {
  return (
    <figure>
      <svg viewBox={`0 0 ${width * TILE} ${TILE}`} style={{ maxWidth: `${width * 48}px` }} aria-hidden="true">
        {children}
      </svg>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

interface PieceProps {
  readonly x: number;
  readonly points: number;
  readonly color: string;
  readonly isShielded?: boolean;
}

function Piece({ x, points, color, isShielded = false }: PieceProps) {
  return (
    <g transform={`translate(${(x + 0.5) * TILE} ${TILE / 2})`}>
      <UnitShape points={points} color={color} isShielded={isShielded} />
    </g>
  );
}

function Sign({ x, text }: { readonly x: number; readonly text: string }) {
  return (
    <text class="tw-sign" x={(x + 0.5) * TILE} y={TILE / 2 + 8}>
      {text}
    </text>
  );
}
