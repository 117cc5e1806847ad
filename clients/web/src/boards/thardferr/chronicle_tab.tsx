/** The Chronicle tab: the remembered battles of a kingdom, with losses. */

import type { Record as Battle, Tally } from "warroom-client/games/thardferr";
import { capital } from "../text_case";
import { BattleScene, LossBar } from "./battle_scene";
import { count, spoken } from "./numbers";
import type { Realm } from "./realm_controls";

export function Chronicle({ realm }: { readonly realm: Realm }) {
  const records = [...realm.secret.records].reverse();
  if (!records.length) return <p class="empty">No battles yet. Your last three battles appear here.</p>;
  return (
    <ol class="stack">
      {records.map((battle, index) => (
        <Entry key={battle.turn} battle={battle} realm={realm} isLatest={index === 0} />
      ))}
    </ol>
  );
}

interface EntryProps {
  readonly battle: Battle;
  readonly realm: Realm;
  readonly isLatest: boolean;
}

function Entry({ battle, realm, isLatest }: EntryProps) {
  const { table } = realm;
  const course = realm.battles.find(({ record }) => record.turn === battle.turn);
  const winner = battle.outcome === "attacker" ? battle.attacker : battle.target;
  const isWon = battle.outcome !== "draw" && winner === realm.seat;
  return (
    <li class="sheet th-card stack tight">
      <div class="row apart">
        <h3>
          {capital(table.name(battle.attacker))} against {table.name(battle.target)}
        </h3>
        <span class={isWon ? "tag good" : battle.outcome === "draw" ? "tag" : "tag hot"}>
          {battle.outcome === "draw" ? "draw" : isWon ? "won" : "lost"}
          {battle.land > 0 && `, ${battle.land} land`}
        </span>
      </div>
      <p class="tiny quiet number">Turn {battle.turn}</p>
      <div class="th-sides">
        <Side title={`Attackers, ${battle.attacker_strategy ?? "no strategy"}`} tallies={battle.attackers} />
        <Side title={`Defenders, ${battle.target_strategy ?? "no strategy"}`} tallies={battle.defenders} />
      </div>
      {course ? (
        <details open={isLatest}>
          <summary>Phase by phase</summary>
          <BattleScene battle={course} table={table} pace={0} />
        </details>
      ) : (
        <p class="tiny quiet">
          This tab was not open during the battle, so it has no phases. The replay shows them at turn {battle.turn}.
        </p>
      )}
    </li>
  );
}

function Side({ title, tallies }: { readonly title: string; readonly tallies: readonly Tally[] }) {
  const fought = tallies.filter((tally) => tally.army);
  const most = Math.max(1, ...fought.map((tally) => tally.army));
  return (
    <div>
      <div class="tiny quiet">{title}</div>
      {fought.map((tally) => (
        <div key={tally.unit} class="th-stack">
          <span>{spoken(tally.unit)}</span>
          <LossBar army={tally.army} lost={tally.lost} most={most} />
          <span class="number">
            {count(tally.army - tally.lost + tally.healed)}
            {tally.lost > 0 && <span class="th-lost"> −{count(tally.lost)}</span>}
            {tally.healed > 0 && <span class="th-healed"> +{count(tally.healed)} healed</span>}
          </span>
        </div>
      ))}
      {!fought.length && <div class="quiet">nobody</div>}
    </div>
  );
}
