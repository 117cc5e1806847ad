/** Visual rules: an attack, its odds, and reinforcements. */

import type { Options } from "warroom-client/games/graph_battle";
import type { RulesProps } from "../board";
import { odds } from "./position";

const STANDARD = { attack: "document", dice_percent: 60 } as Options;
const ATTACKERS = [2, 3, 4, 5, 6, 8];
const DEFENDERS = [0, 1, 2, 3, 4];

export default function Rules({ table }: RulesProps) {
  const options = { ...STANDARD, ...(table?.options as Partial<Options> | undefined) } as Options;
  return (
    <div class="gb-rules stack">
      <figure>
        <svg
          viewBox="0 0 300 84"
          role="img"
          aria-label="Strength 4 attacks strength 1, loses one coin, takes the node and moves 2 there"
        >
          <Pair x={40} from={4} to={1} left="red" right="blue" />
          <path d="M132 42h30m-8 -8l8 8l-8 8" fill="none" stroke="var(--ink-2)" stroke-width="2" />
          <Pair x={200} from={1} to={2} left="red" right="red" />
        </svg>
        <figcaption>
          Attack a connected enemy node from one of strength 2 or more. Coins fall one by one, and each costs the loser
          1 strength. An attacker down to 1 has failed; a defender beaten at 0 loses the node, and all but 1 move in.
        </figcaption>
      </figure>
      <table class="gb-table number">
        <caption>Odds in percent: the attacker's strength down, the defender's across</caption>
        <thead>
          <tr>
            <td />
            {DEFENDERS.map((defender) => (
              <th key={defender} scope="col">
                {defender}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ATTACKERS.map((attacker) => (
            <tr key={attacker}>
              <th scope="row">{attacker}</th>
              {DEFENDERS.map((defender) => (
                <td key={defender}>{Math.round(odds(attacker, defender, options) * 100)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <figure>
        <svg viewBox="0 0 300 84" role="img" aria-label="A territory of three nodes gains three strength at its border">
          <path d="M40 42H220" stroke="var(--line-2)" stroke-width="2" />
          <path d="M40 42H160" stroke="var(--red)" stroke-width="6" />
          <Disc x={40} strength={1} color="red" />
          <Disc x={100} strength={2} color="red" />
          <Disc x={160} strength={1} color="red" gain="+3" />
          <Disc x={220} strength={2} color="blue" />
        </svg>
        <figcaption>
          When your turn ends, your largest territory earns 1 strength a node. Only nodes with an enemy beside them get
          it.
        </figcaption>
      </figure>
      <p>Hold every node to win.</p>
    </div>
  );
}

interface PairProps {
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly left: string;
  readonly right: string;
}

function Pair({ x, from, to, left, right }: PairProps) {
  return (
    <>
      <path d={`M${x} 42h60`} stroke="var(--line-2)" stroke-width="2" />
      <Disc x={x} strength={from} color={left} />
      <Disc x={x + 60} strength={to} color={right} />
    </>
  );
}

function Disc({
  x,
  strength,
  color,
  gain,
}: {
  readonly x: number;
  readonly strength: number;
  readonly color: string;
  readonly gain?: string;
}) {
  return (
    <g transform={`translate(${x} 42)`}>
      <circle r="19" fill={`var(--${color})`} />
      <text class="gb-mini" y="6">
        {strength}
      </text>
      {gain && (
        <text class="gb-mini-gain" y="-24">
          {gain}
        </text>
      )}
    </g>
  );
}
