/** Thardferr: the own realm in tabs, the kingdoms side by side, and battles phase by phase. */

import "./thardferr.css";

import { useState } from "preact/hooks";
import type { Action, GameEvent, PrivateView, PublicView } from "warroom-client/games/thardferr";
import { sentence } from "../../client/error_text";
import { lazy, NoPart } from "../../ui/lazy";
import { defineBoard } from "../board";
import { type Ordering, useOrdering } from "../orders";
import { durationOf } from "./battle_scene";
import { isOver, keyMoment, type Memory, NOTHING, remember, tell, whoseTurn } from "./events";
import { Kingdoms, Ledger, Treasury } from "./kingdom_panels";
import { NewsView } from "./news";
import { Picking } from "./race_choice";
import { type Draft, Order, type Props, type Realm, seatColour } from "./realm_controls";

const RealmTabs = lazy(() => import("./realm_tabs"), NoPart);

function Board(props: Props) {
  const { moment, table } = props;
  const view = moment.public;
  const ordering = useOrdering(props, table.seat === view.seat && !view.ended);
  const memory = (props.memory as Memory | null) ?? NOTHING;
  const [shown, setShown] = useState<number | null>(null);
  const seat = table.seat ?? shown ?? moment.privates.findIndex((each) => each !== null);
  const secret = moment.private ?? moment.privates[seat] ?? null;
  const realm = secret && realmOf(props, ordering, seat, secret, memory);
  if (!view.kingdoms.length) return <Picking {...props} />;
  const told = (
    <NewsView
      news={memory.news.filter(({ serial }) => serial <= moment.serial)}
      table={table}
      shown={moment.serial}
      pace={props.pace}
      onPutAway={() => props.setMemory({ ...memory, news: [] })}
    />
  );
  return (
    <div class="thardferr stack">
      <div class="row apart">
        <div class="quiet number">
          Round {view.round} of {view.options.max_turns}
          {view.round <= view.options.peace_rounds && ` · peace until round ${view.options.peace_rounds + 1}`}
          <div class="tiny">{whoseTurn(view, table)}</div>
        </div>
        {realm && table.seat !== null && !isOver(view, table) && (
          <Order realm={realm} action={{ type: "end_turn" }} kind="main">
            End turn
          </Order>
        )}
      </div>
      {realm ? (
        <>
          {table.seat === null && <Seats {...props} seat={seat} onShow={setShown} />}
          <Treasury realm={realm} />
          <RealmTabs realm={realm} refusal={ordering.why} news={told} />
        </>
      ) : (
        <>
          <Kingdoms view={view} table={table} />
          {told}
        </>
      )}
      {secret?.scouted && table.seat === null && <Ledger kingdom={secret.scouted.kingdom} />}
    </div>
  );
}

const ALL = ["attack", "workers"];
/** The draft fields that belong to an order, if any. */
const SENT: { readonly [type in Action["type"]]?: readonly string[] } = {
  assign: ["workers"],
  attack: ALL,
  end_turn: ALL,
};

function realmOf(
  props: Props,
  ordering: Ordering<Action>,
  seat: number,
  secret: PrivateView,
  { battles }: Memory,
): Realm | null {
  const { moment, table } = props;
  const { kingdom, forecast } = secret;
  if (!kingdom || !forecast) return null;
  return {
    view: moment.public,
    secret,
    kingdom,
    forecast,
    battles,
    table,
    seat,
    idle: isOver(moment.public, table) ? "the match is over" : whyIdle(ordering),
    draft: (props.draft as Draft | null) ?? {},
    setDraft: (next) => props.setDraft(next as unknown as Props["draft"]),
    order: (action) => void ordering.play(action, SENT[action.type] ?? []),
    say: (why) => ordering.say(sentence(why)),
  };
}

function whyIdle({ asked, isOpen }: Ordering<Action>): string | null {
  if (!asked) return "it is not your turn";
  return isOpen ? null : "";
}

/** Selects the realm for viewers who see all of them. */
function Seats({
  moment,
  table,
  seat,
  onShow,
}: Props & { readonly seat: number; readonly onShow: (seat: number) => void }) {
  return (
    <div class="row" role="group" aria-label="Whose realm">
      {moment.privates.map((_, each) => (
        <button key={each} type="button" class="button small" aria-pressed={each === seat} onClick={() => onShow(each)}>
          {table.name(each)}
        </button>
      ))}
    </div>
  );
}

export default defineBoard<PublicView, PrivateView, Action, GameEvent>({
  Board,
  Rules: lazy(() => import("./rules"), NoPart),
  tell,
  remember: (step, known, seat) => remember(step, (known as Memory | null) ?? NOTHING, seat),
  showsRefusals: true,
  duration: ({ events }) => durationOf(events),
  out: (view) => view.out,
  toAct: (view) => {
    if (view.ended) return [];
    if (view.seat !== null) return [view.seat];
    return view.picked.flatMap((isPicked, seat) => (isPicked ? [] : [seat]));
  },
  colour: (_, seat) => seatColour(seat),
  keyMoment: ({ events }, table) => keyMoment(events, table),
});
