/** The own realm in tabs; loaded separately, because spectators have none. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { Tabs } from "../../ui/tabs";
import { useFocusKept } from "../orders";
import { Army, Build } from "./build_and_army_tabs";
import { Chronicle } from "./chronicle_tab";
import { Market, Research, Work } from "./economy_tabs";
import type { Realm } from "./realm_controls";
import { War } from "./war_tab";

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
  /** Placed where its changing height moves no click target. */
  readonly news: ComponentChildren;
}

export default function RealmTabs({ realm, refusal, news }: Props) {
  const [tab, setTab] = useState<(typeof TABS)[number][0]>("build");
  const panel = useFocusKept<HTMLDivElement>();
  const Panel = TABS.find(([id]) => id === tab)?.[2] ?? Build;
  const hasDraft: Readonly<Record<string, unknown>> = { war: realm.draft.attack, work: realm.draft.workers };
  const tabs = TABS.map(([id, name]) => [id, [name, hasDraft[id] && <span class="tag hot">…</span>]] as const);
  return (
    <div>
      <Tabs label="Your realm" tabs={tabs} chosen={tab} panel="realm" onChoose={setTab} kind="th-tabs" />
      <div>
        <div role="tabpanel" id="realm" class="th-panel stack" aria-label={tab} tabindex={-1} ref={panel}>
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
