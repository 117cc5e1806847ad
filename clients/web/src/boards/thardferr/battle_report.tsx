/** The report of a calculated battle: the winner, charts of both armies by phase, and the value of everything. */

import { capital } from "../text_case";
import type { Battle, Report, Stack } from "./battle_input";
import { LossBar } from "./battle_scene";
import { count, spoken } from "./numbers";

const SIDES = ["attacker", "defender"] as const;
type SideName = (typeof SIDES)[number];

export function ReportView({ report, battle }: { readonly report: Report; readonly battle: Battle }) {
  return (
    <section class="stack" aria-label="Report">
      <h2>
        {report.winner === "draw" ? "A draw" : `The ${report.winner} wins`}
        <span class="quiet"> {ending(report)}</span>
      </h2>
      <div class="th-outcome">
        <Course report={report} />
        <div class="th-sides">
          {SIDES.map((side) => (
            <Balance key={side} side={side} report={report} battle={battle} />
          ))}
        </div>
      </div>
      {report.phases.map((phase) => (
        <details key={`${phase.round} ${phase.phase}`} open={report.phases.length <= 3}>
          <summary>
            <b>
              Round {phase.round}, {phase.phase}
            </b>
          </summary>
          <PhaseTable stacks={phase.stacks} />
        </details>
      ))}
      <Worth report={report} />
    </section>
  );
}

function ending({ ended_by, rounds }: Report): string {
  const after = rounds > 1 ? ` after ${rounds} rounds` : "";
  if (ended_by === "retreat") return `by the other’s retreat${after}`;
  return ended_by === "quick_retreat" ? `by a quick retreat${after}` : `by casualties${after}`;
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact" });

/** The size of both armies after each phase, as lines. */
function Course({ report }: { readonly report: Report }) {
  const [width, height, edge, margin] = [600, 230, 24, 52];
  const left = (side: SideName) => [
    ...report.phases.map((phase) => units(phase.stacks, side)),
    sum(side === "attacker" ? report.attacker_before_healing : report.defender_before_healing),
  ];
  const lines = { attacker: left("attacker"), defender: left("defender") };
  const scale = scaleOf(Math.max(...lines.attacker, ...lines.defender));
  const most = scale.at(-1) ?? 1;
  const steps = report.phases.length;
  const x = (index: number) => margin + (index * (width - margin - edge)) / steps;
  const y = (value: number) => height - edge - (value * (height - 2 * edge)) / most;
  const told = SIDES.map((side) => `${side}: ${lines[side].map(count).join(", ")}`).join("; ");
  return (
    <figure class="th-course">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Units left after each phase. ${told}`}>
        {scale.map((value) => (
          <g key={value}>
            <path class={value ? "th-axis th-height" : "th-axis"} d={`M${margin} ${y(value)}H${width - edge}`} />
            <text class="th-tick th-scale" x={margin - 8} y={y(value)}>
              {SHORT.format(value)}
            </text>
          </g>
        ))}
        {report.phases.map((phase, index) => (
          <text key={index} class="th-tick" x={(x(index) + x(index + 1)) / 2} y={height - 6}>
            {steps > 12 ? phase.phase.charAt(0) : phase.phase}
          </text>
        ))}
        {SIDES.map((side) => (
          <g key={side} class={`th-line th-${side}`}>
            <polyline points={lines[side].map((value, index) => `${x(index)},${y(value)}`).join(" ")} />
            {lines[side].map((value, index) => (
              <circle key={index} cx={x(index)} cy={y(value)} r="4">
                <title>{count(value)}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      <figcaption class="tiny">
        {SIDES.map((side) => (
          <span key={side} class={`th-key th-${side}`}>
            {side} {count(lines[side][0] ?? 0)} → {count(lines[side].at(-1) ?? 0)}
          </span>
        ))}
        <span class="quiet">units in the field after each phase</span>
      </figcaption>
    </figure>
  );
}

const STEPS = [1, 2, 5, 10];
const MOST_STEPS = 4;

/** The axis labels of a chart, from 0 to at least *most*. */
export function scaleOf(most: number): number[] {
  const rough = Math.max(1, most / MOST_STEPS);
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * ten >= rough) ?? 10) * ten;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

function units(stacks: readonly Stack[], side: SideName): number {
  return stacks.filter((stack) => stack.side === side).reduce((all, stack) => all + stack.count, 0);
}

function sum(counts: { readonly [unit: string]: number }): number {
  return Object.values(counts).reduce((all, each) => all + each, 0);
}

interface BalanceProps {
  readonly side: SideName;
  readonly report: Report;
  readonly battle: Battle;
}

function Balance({ side, report, battle }: BalanceProps) {
  const isAttacker = side === "attacker";
  const left = isAttacker ? report.attacker_before_healing : report.defender_before_healing;
  const healed = isAttacker ? report.attacker_healing : report.defender_healing;
  const final = isAttacker ? report.attacker_final : report.defender_final;
  const field = isAttacker ? battle.attacker.army : report.scaled_defender_army;
  const names = Object.keys(final);
  const most = Math.max(1, ...names.map((name) => field[name] ?? 0));
  return (
    <div class="sheet th-card stack tight">
      <h3>
        {capital(side)} <span class="quiet">{battle[side].race}</span>
      </h3>
      {names.map((name) => {
        const army = field[name] ?? 0;
        const lost = army - (left[name] ?? 0);
        return (
          <div key={name} class="th-stack">
            <span>{spoken(name)}</span>
            <LossBar army={army} lost={lost} most={most} />
            <span class="number">
              {count(final[name] ?? 0)}
              {lost > 0 && <span class="th-lost"> −{count(lost)}</span>}
              {(healed[name] ?? 0) > 0 && <span class="th-healed"> +{count(healed[name] ?? 0)} healed</span>}
            </span>
          </div>
        );
      })}
      {!names.length && <p class="quiet">nobody</p>}
      <p class="tiny quiet number">
        strength {count(report.ks[side])} · worth {count(report.tegc[side])} gold (TEGC)
        {!isAttacker &&
          sum(battle.defender.army) > sum(field) &&
          ` · ${count(sum(battle.defender.army) - sum(field))} kept in castles`}
      </p>
    </div>
  );
}

function PhaseTable({ stacks }: { readonly stacks: readonly Stack[] }) {
  return (
    <div class="th-scroll" tabindex={0} role="region" aria-label="Phase">
      <table class="th-table number">
        <thead>
          <tr>
            {["Stack", "count", "damage", "kept off", "reduced", "defence", "lost"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col" class="th-text">
              effects
            </th>
          </tr>
        </thead>
        <tbody>
          {stacks.map((stack) => (
            <tr key={`${stack.side} ${stack.unit}`}>
              <th scope="row">
                <span class={`th-key th-${stack.side}`}>{spoken(stack.unit)}</span>
                <span class="unseen"> of the {stack.side}</span>
              </th>
              <td>{count(stack.count)}</td>
              <td>{stack.raw.toFixed(1)}</td>
              <td>{stack.mitigation.toFixed(1)}</td>
              <td>{Math.round(stack.reduction * 100)} %</td>
              <td>{stack.defence.toFixed(2)}</td>
              <td>{stack.lost ? <b class="th-lost">{count(stack.lost)}</b> : "·"}</td>
              <td class="th-text">{stack.effects.join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The stats of the units in the battle, and the cost per point. */
function Worth({ report }: { readonly report: Report }) {
  const rows = SIDES.flatMap((side) =>
    Object.entries(report.stats[side]).map(([unit, stats]) => ({ side, unit, stats })),
  );
  return (
    <details>
      <summary>
        <b>Stats and efficiency</b>
      </summary>
      <div class="th-scroll" tabindex={0} role="region" aria-label="Stats and efficiency">
        <table class="th-table number">
          <thead>
            <tr>
              {["Unit", "range", "short", "melee", "defence", "gold / melee", "gold / defence", "gold / range"].map(
                (title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ side, unit, stats }) => {
              const cost = report.efficiency[side][unit];
              return (
                <tr key={`${side} ${unit}`}>
                  <th scope="row">
                    <span class={`th-key th-${side}`}>{spoken(unit)}</span>
                  </th>
                  <td>{stats.range.toFixed(2)}</td>
                  <td>{stats.short.toFixed(2)}</td>
                  <td>{stats.melee.toFixed(2)}</td>
                  <td>{stats.defence.toFixed(2)}</td>
                  <td>{cost?.melee?.toFixed(1) ?? "·"}</td>
                  <td>{cost?.defence?.toFixed(1) ?? "·"}</td>
                  <td>{cost?.range?.toFixed(1) ?? "·"}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}
