/** A battle phase by phase: both armies as shrinking bars, in the order of the attacks. */

import type { Blow, Clash, FoughtEvent, GameEvent } from "warroom-client/games/thardferr";
import type { Table } from "../board";
import { capital } from "../text_case";
import { count, spoken } from "./numbers";

const PHASE_MS = 1100;
const END_MS = 900;
const NEWS_MS = 1200;
const SIDES = ["attacker", "defender"] as const;
const PHASES: { readonly [phase: string]: string } = { range: "Arrows", short: "First clash", melee: "Melee" };

/** How long the events of a step are shown. */
export function durationOf(events: readonly GameEvent[]): number {
  const battle = events.find((event) => event.type === "battle");
  if (battle?.type === "battle") return Math.min(battle.clashes.length, 6) * PHASE_MS + END_MS;
  return events.some((event) => event.type === "attack" || event.type === "fall") ? NEWS_MS : 0;
}

export function BattleScene({
  battle,
  table,
  pace,
}: {
  readonly battle: FoughtEvent;
  readonly table: Table;
  readonly pace: number;
}) {
  const step = (Math.min(battle.clashes.length, 6) * PHASE_MS * pace) / Math.max(1, battle.clashes.length);
  return (
    <div class="th-battle">
      <ol class="stack tight">
        {battle.clashes.map((clash, index) => (
          <li
            key={index}
            class={pace ? "th-phase th-appears" : "th-phase"}
            style={{ animationDelay: `${index * step}ms` }}
          >
            <h4>
              {PHASES[clash.phase]}
              {clash.round > 1 && <span class="quiet"> (round {clash.round})</span>}
              {!isBloody(clash) && <span class="quiet">: nobody falls</span>}
            </h4>
            {isBloody(clash) && (
              <div class="th-sides">
                {SIDES.map((side) => (
                  <SideOfPhase
                    key={side}
                    name={table.name(side === "attacker" ? battle.seat : battle.target)}
                    side={side}
                    blows={clash.blows.filter((blow) => blow.side === side)}
                  />
                ))}
              </div>
            )}
          </li>
        ))}
      </ol>
      <p class={pace ? "th-appears" : ""} style={{ animationDelay: `${battle.clashes.length * step}ms` }}>
        <b>{outcome(battle, table)}</b>
      </p>
    </div>
  );
}

function isBloody(clash: Clash): boolean {
  return clash.blows.some((blow) => blow.lost > 0);
}

function SideOfPhase({ name, side, blows }: { name: string; side: (typeof SIDES)[number]; blows: readonly Blow[] }) {
  const most = Math.max(1, ...blows.map((blow) => blow.count));
  return (
    <div>
      <div class="tiny quiet">
        {capital(name)}, {side}
      </div>
      {blows.map((blow) => (
        <div key={blow.unit} class="th-stack" title={blow.effects.join("; ") || undefined}>
          <span>{spoken(blow.unit)}</span>
          <LossBar army={blow.count} lost={blow.lost} most={most} />
          <span class="number">
            {count(blow.count - blow.lost)}
            {blow.lost > 0 && <span class="th-lost"> −{count(blow.lost)}</span>}
          </span>
        </div>
      ))}
      {!blows.length && <div class="quiet">nobody is left</div>}
    </div>
  );
}

/** The survivors and losses of a stack, relative to the largest. */
export function LossBar({ army, lost, most }: { readonly army: number; readonly lost: number; readonly most: number }) {
  const width = (value: number) => (most ? (100 * value) / most : 0);
  return (
    <svg class="th-losses" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="th-left" width={width(army - lost)} height="10" />
      <rect class="th-gone" x={width(army - lost)} width={width(lost)} height="10" />
    </svg>
  );
}

function outcome({ record, seat, target, ended_by }: FoughtEvent, table: Table): string {
  if (record.outcome === "draw") return "Nobody wins.";
  const winner = record.outcome === "attacker" ? seat : target;
  const wins = table.seat === winner ? "You win" : `${capital(table.name(winner))} wins`;
  const how = ended_by === "casualties" ? "" : ", because the other side retreats";
  return `${wins}${how}${record.land ? `: ${record.land} land` : ""}.`;
}
