/** The orders of the chosen tile, and the cards. */

import type { Action, Card, PublicView } from "warroom-client/games/tile_blitz";
import { Answer, OrderButton, type Ordering, OrderRow, toMove, Undo } from "../orders";
import * as blitz from "./position";
import type { Draft, Props } from "./types";

type OrdersProps = Props &
  Ordering<Action> & {
    readonly seat: number | null;
    readonly draftTile: Draft | null;
  };

/** Building keeps the chosen tile: no draft field is sent with it. */
const NOTHING: readonly string[] = [];

export function Orders(props: OrdersProps) {
  const { moment, table, asked, isOpen, why, play, seat, draftTile, setDraft } = props;
  const view = moment.public;
  const player = seat === null ? undefined : view.players[seat];
  const pair = blitz.pairs(moment.private?.hand ?? [])[0];
  const id = draftTile?.tile;
  const tile = id === undefined ? null : blitz.tileAt(view, id);
  return (
    <div class="tb-orders orders">
      <Answer why={why} hint={hint(view, table, asked, draftTile)} />
      <OrderRow>
        {asked && id !== undefined && tile && player && (
          <>
            {player.gold > 0 && (
              <OrderButton
                isLegal={isOpen}
                onOrder={() => void play({ type: "build_infantry", tile: id, count: player.gold }, NOTHING)}
              >
                +{blitz.count(player.gold, "troop")}
              </OrderButton>
            )}
            {player.gold > 1 && (
              <OrderButton
                isLegal={isOpen}
                onOrder={() => void play({ type: "build_infantry", tile: id, count: 1 }, NOTHING)}
              >
                +1
              </OrderButton>
            )}
            {pair && (
              <OrderButton
                isLegal={isOpen}
                onOrder={() => void play({ type: "build_tank", tile: id, cards: [pair[0].id, pair[1].id] }, NOTHING)}
              >
                +Tank for {blitz.face(pair[0])} {blitz.face(pair[1])}
              </OrderButton>
            )}
            {tile.troops > 0 && tile.troops + tile.tanks > 1 && (
              <Going
                draft={draftTile}
                troops={tile.troops - 1}
                tanks={tile.tanks}
                isOpen={isOpen}
                setDraft={setDraft}
              />
            )}
          </>
        )}
        {asked && (
          <OrderButton kind="main" isLegal={isOpen} onOrder={() => void play({ type: "end_turn" })}>
            End turn
          </OrderButton>
        )}
      </OrderRow>
    </div>
  );
}

interface GoingProps {
  readonly draft: Draft | null;
  readonly troops: number;
  readonly tanks: number;
  readonly isOpen: boolean;
  readonly setDraft: Props["setDraft"];
}

/** The number of units to move; the target is chosen on the board. */
function Going({ draft, troops, tanks, isOpen, setDraft }: GoingProps) {
  if (!draft) return null;
  const moving = draft.moving;
  if (!moving) {
    return (
      <OrderButton isLegal={isOpen} onOrder={() => setDraft({ tile: draft.tile, moving: { troops, tanks } })}>
        Move…
      </OrderButton>
    );
  }
  const change = (part: Partial<NonNullable<Draft["moving"]>>) =>
    setDraft({ tile: draft.tile, moving: { ...moving, ...part } });
  return (
    <fieldset class="tb-going">
      <legend class="unseen">Units to move</legend>
      <Amount name="troops" most={troops} value={moving.troops} onChange={(value) => change({ troops: value })} />
      {tanks > 0 && (
        <Amount name="tanks" most={tanks} value={moving.tanks} onChange={(value) => change({ tanks: value })} />
      )}
      <Undo onUndo={() => setDraft({ tile: draft.tile })} />
    </fieldset>
  );
}

interface AmountProps {
  readonly name: string;
  readonly most: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Amount({ name, most, value, onChange }: AmountProps) {
  return (
    <label class="tb-amount">
      <span class="number">
        {value} {name}
      </span>
      <input
        type="range"
        min="0"
        max={most}
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

function hint(view: PublicView, table: Props["table"], asked: Props["asked"], draft: Draft | null): string {
  if (view.ended) return "The match is over.";
  if (!asked) return toMove(table, view.seat);
  if (!draft) return "Choose one of your tiles.";
  if (draft.moving) return "Choose the target tile. A march beyond the next tile costs 1 stamina.";
  return `Tile ${draft.tile}: choose what to attack, or build here.`;
}

/** Another player's cards come with a *name*. */
export function Hand({ hand, name }: { readonly hand: readonly Card[]; readonly name?: string }) {
  const paired = new Set(blitz.pairs(hand).flatMap((pair) => pair.map((card) => card.id)));
  const sorted = [...hand].sort((one, other) => one.value - other.value || one.id - other.id);
  return (
    <ul class="tb-hand" aria-label={name ? `Cards of ${name}` : "Your cards"}>
      {name && <li class="tb-whose">{name}</li>}
      {sorted.map((card) => (
        <li key={card.id} class={`tb-card tb-${card.suit} ${paired.has(card.id) ? "tb-paired" : ""}`}>
          {blitz.face(card)}
        </li>
      ))}
      {!hand.length && <li class="quiet">No cards</li>}
    </ul>
  );
}
