/** The own realm in tabs: fetched by those who see one, as spectators see none. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { useFocusKept } from "../orders";
import { Chronicle } from "./chronicle";
import { Army, Build } from "./home";
import type { Realm } from "./parts";
import { War } from "./war";
import { Market, Research, Work } from "./works";

const TABS = [
  ["build", "Build", Build],
  ["army", "Army", Army],
  ["work", "Work", Work],
  ["research", "Research", Research],
  ["market", "Market", Market],
  ["war", "War", War],
  ["chronicle", "Chronicle", Chronicle],
] as const;

interface Props {
  readonly realm: Realm;
  readonly refusal: string | null;
  /** Where it moves nothing that is clicked, however much or little there is. */
  readonly news: ComponentChildren;
}

export default function RealmTabs({ realm, refusal, news }: Props) {
  const [tab, setTab] = useState<string>("build");
  const panel = useFocusKept<HTMLDivElement>();
  const Panel = TABS.find(([id]) => id === tab)?.[2] ?? Build;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (TABS.findIndex(([id]) => id === tab) + step + TABS.length) % TABS.length;
    setTab(TABS[next]?.[0] ?? tab);
    (event.currentTarget as HTMLElement).querySelectorAll("button")[next]?.focus();
  };
  return (
    <div>
      <div class="tabs th-tabs" role="tablist" aria-label="Your realm" onKeyDown={move}>
        {TABS.map(([id, name]) => (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={tab === id}
            tabindex={tab === id ? 0 : -1}
            onClick={() => setTab(id)}
          >
            {name}
            {id === "war" && realm.draft.attack && <span class="tag hot">…</span>}
            {id === "work" && realm.draft.workers && <span class="tag hot">…</span>}
          </button>
        ))}
      </div>
      <div>
        <div role="tabpanel" class="th-panel stack" aria-label={tab} tabindex={-1} ref={panel}>
          <Panel realm={realm} />
        </div>
        <div class="th-foot">
          {news}
          <div aria-live="assertive">{refusal && <p class="refusal">{refusal}</p>}</div>
        </div>
      </div>
    </div>
  );
}
