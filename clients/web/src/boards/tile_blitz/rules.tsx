/** Visual rules: the income of a turn, and the cost of an attack. */

import type { Options } from "warroom-client/games/tile_blitz";
import type { RulesProps } from "../board";
import { aftermath, type Color, defence } from "./position";

interface Example {
  readonly troops: number;
  readonly tanks: number;
  readonly color: Color | null;
  readonly held: number;
}

const EXAMPLES: readonly Example[] = [
  { troops: 5, tanks: 0, color: null, held: 0 },
  { troops: 5, tanks: 0, color: "green", held: 4 },
  { troops: 6, tanks: 2, color: "green", held: 4 },
];

export default function Rules({ table }: RulesProps) {
  const options = { losses: "document", ...(table?.options as Partial<Options> | undefined) } as Options;
  return (
    <div class="tb-rules stack">
      <ul class="tb-gains">
        <li>
          <b>+2</b> gold
        </li>
        <li>
          <b>+1</b> stamina, 2 at most
        </li>
        <li>
          <b>+2</b> cards
        </li>
      </ul>
      <p>
        Each turn brings these, and you act as often as the time allows. One gold buys a troop, two cards of one value a
        tank, one stamina a march across your own tiles.
      </p>
      {EXAMPLES.map((example, index) => (
        <Attack key={index} example={example} options={options} />
      ))}
      <p>
        Power is troops plus twice the tanks, and must exceed the defence: 1 on a neutral tile, else the power there.
        {options.losses === "document"
          ? " The attacker loses the difference, so a close fight is the cheap one."
          : " The attacker loses as much as the defence was."}
        {" Tanks absorb losses first."}
      </p>
      <p>Drive everybody off the board, or hold the most tiles after the last round.</p>
    </div>
  );
}

function Attack({ example, options }: { readonly example: Example; readonly options: Options }) {
  const source = { color: "red", troops: example.troops, tanks: example.tanks } as const;
  const target = { color: example.color, troops: example.held, tanks: 0 };
  const left = aftermath(source, target, options);
  const words = `${name(example)} against ${defence(target)} leaves ${left.troops} troops and ${left.tanks} tanks`;
  return (
    <svg viewBox="0 0 300 62" role="img" aria-label={words}>
      <Square x={4} color="red" text={name(example)} />
      <Square x={66} color={example.color} text={example.color ? String(example.held) : ""} />
      <path d="M140 31h26m-7 -7l7 7l-7 7" fill="none" stroke="var(--ink-2)" stroke-width="2" />
      <Square x={182} color="red" text="1" />
      <Square x={244} color="red" text={left.tanks ? `${left.troops}+${left.tanks}T` : String(left.troops)} />
    </svg>
  );
}

function name({ troops, tanks }: Example): string {
  return tanks ? `${troops}+${tanks}T` : String(troops);
}

function Square({ x, color, text }: { readonly x: number; readonly color: Color | null; readonly text: string }) {
  return (
    <g transform={`translate(${x} 4)`}>
      <rect width="54" height="54" rx="5" fill={color ? `var(--tb-${color})` : "var(--well)"} />
      <text class="tb-mini" x="27" y="33">
        {text}
      </text>
    </g>
  );
}
