/** The tabs Work, Research and Market. */

import type { Workers } from "warroom-client/games/thardferr";
import { MARKET_PRICES, SALE_DIVISOR, type Technology } from "../../generated/thardferr_figures";
import { gameOf } from "../../state";
import { Undo } from "../orders";
import { effectOf } from "./effect_texts";
import { bestWorkers, JOBS, type Job, levelOf, spread, total, trees, whyNoResearch } from "./limits";
import { count } from "./numbers";
import { Bar, Order, type Realm } from "./realm_controls";

const WORDS: { readonly [job in Job]: readonly [name: string, makes: string] } = {
  mine: ["Mines", "iron"],
  lumber: ["Mills", "wood"],
  agriculture: ["Farms", "food"],
  blacksmithing: ["Forges", "nothing"],
};
const STEP = 10;

export function Work({ realm }: { readonly realm: Realm }) {
  const { kingdom, forecast, draft, setDraft } = realm;
  const workers = draft.workers ?? kingdom.workers;
  const best = bestWorkers(kingdom);
  const idle = forecast.peasants - total(workers);
  const change = (next: Workers) => setDraft({ ...draft, workers: next });
  const isSame = JOBS.every((job) => workers[job] === kingdom.workers[job]);
  return (
    <>
      <p class="number">
        <b>{count(forecast.peasants)}</b> peasants, <b>{count(idle)}</b> of them idle. Up to the best number each worker
        counts fully, beyond it half.
      </p>
      <div class="row">
        <button type="button" class="button small" onClick={() => change(spread(best, forecast.peasants, null))}>
          Even spread
        </button>
        {(["agriculture", "mine", "lumber"] as const).map((job) => (
          <button
            key={job}
            type="button"
            class="button small"
            onClick={() => change(spread(best, forecast.peasants, job))}
          >
            {WORDS[job][0]} first
          </button>
        ))}
      </div>
      <ul class="th-rows th-jobs">
        {JOBS.map((job) => (
          <li key={job}>
            <label class="th-slide">
              <span>
                <b>{WORDS[job][0]}</b> <span class="quiet">make {WORDS[job][1]}</span>
              </span>
              <span class="number">
                <b>{count(workers[job])}</b> <span class="quiet">best {count(best[job])}</span>
              </span>
              <input
                type="range"
                min="0"
                max={Math.min(2 * best[job], workers[job] + idle)}
                step={STEP}
                value={workers[job]}
                onInput={(event) => change({ ...workers, [job]: event.currentTarget.valueAsNumber })}
              />
              <Bar value={workers[job]} of={best[job]} colour="var(--good)" />
            </label>
          </li>
        ))}
      </ul>
      <div class="row">
        <Order
          realm={realm}
          action={{ type: "assign", ...workers }}
          why={isSame ? "no change" : idle < 0 ? "not enough peasants" : ""}
          kind="main"
        >
          Assign
        </Order>
        {draft.workers && <Undo onUndo={() => setDraft(draft.attack ? { attack: draft.attack } : {})} />}
      </div>
    </>
  );
}

export function Research({ realm }: { readonly realm: Realm }) {
  const { kingdom, view } = realm;
  const days = view.options.days_per_turn;
  return (
    <>
      <p>
        {kingdom.project ? (
          <>
            <b>{kingdom.project.technology}</b> is under research, known in{" "}
            <b class="number">{Math.ceil(kingdom.project.days_left / days)}</b> turns.
          </>
        ) : (
          <span class="quiet">One technology at a time; you pay when you start it.</span>
        )}
      </p>
      {trees(kingdom.race).map((row, index, all) => (
        <ol key={index} class={index === all.length - 1 ? "th-tree th-loose" : "th-tree"}>
          {row.map((technology) => (
            <Entry key={technology.name} realm={realm} technology={technology} days={days} />
          ))}
        </ol>
      ))}
    </>
  );
}

function Entry({ realm, technology, days }: { realm: Realm; technology: Technology; days: number }) {
  const { kingdom } = realm;
  const level = levelOf(kingdom, technology.name);
  const why = whyNoResearch(kingdom, technology);
  const state = why === "known" ? "th-known" : why === "" ? "th-open" : why.startsWith("after") ? "th-locked" : "";
  return (
    <li class={`sheet th-entry ${state}`}>
      <b>{technology.name}</b>
      <span class="tiny">{effectOf(gameOf(realm.table.game), "Research", "technology", technology.name)}</span>
      <span class="tiny quiet number">
        {technology.max_level > 1 && `level ${level} of ${technology.max_level} · `}
        {count(technology.gold)} gold · {Math.ceil(technology.days / days)} turns
      </span>
      {why === "known" ? (
        <span class="tag good">known</span>
      ) : why ? (
        <span class="tiny th-alarm">{why}</span>
      ) : (
        <Order realm={realm} action={{ type: "research", technology: technology.name }}>
          Research
        </Order>
      )}
    </li>
  );
}

const GOODS = ["food", "iron", "wood"] as const;
const LOT = 100;
/** The maximum amount of one order. */
const MOST = 1_000_000;

export function Market({ realm }: { readonly realm: Realm }) {
  const { stores } = realm.kingdom;
  return (
    <ul class="th-rows">
      {GOODS.map((good) => {
        const price = MARKET_PRICES[good] ?? 0;
        const most = Math.floor(stores.gold / price);
        const lots = [...new Set([LOT, 10 * LOT, Math.min(Math.floor(most / 2), MOST)])].filter((lot) => lot > 0);
        return (
          <li key={good}>
            <b class="th-count number">{count(stores[good])}</b>
            <div class="th-what">
              <b>{good}</b>{" "}
              <span class="quiet number">
                costs {price} gold{good === "food" ? "; cannot be sold" : `, brings ${price / SALE_DIVISOR}`}
              </span>
              {most < LOT && <div class="tiny th-alarm">your gold pays for {most}</div>}
            </div>
            <div class="th-amounts">
              {lots
                .sort((one, other) => one - other)
                .map((lot) => (
                  <Order
                    key={lot}
                    realm={realm}
                    action={{ type: "buy", good, count: lot }}
                    why={lot > most ? `needs ${count(lot * price)} gold` : ""}
                    label={`Buy ${lot} ${good}`}
                  >
                    Buy {count(lot)}
                  </Order>
                ))}
              {good !== "food" &&
                [...new Set([LOT, Math.min(stores[good], MOST)])].filter(Boolean).map((lot) => (
                  <Order
                    key={`sell ${lot}`}
                    realm={realm}
                    action={{ type: "sell", good, count: lot }}
                    why={lot > stores[good] ? `you have ${stores[good]}` : ""}
                    label={`Sell ${lot} ${good}`}
                    kind="small plain"
                  >
                    Sell {count(lot)}
                  </Order>
                ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
