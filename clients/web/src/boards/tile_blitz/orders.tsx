/** What the chosen tile can do, and the cards to do it with. */

import type { Card, PublicView } from "../../generated/games/tile_blitz";
import { Answer, canOrder, OrderButton, toMove, Undo } from "../orders";
import * as blitz from "./blitz";
import type { Draft, Props } from "./parts";

type OrdersProps = Props & {
  readonly seat: number | null;
  readonly draftTile: Draft | null;
  readonly why: string | null;
};

export function Orders({ moment, table, asked, refusal, play, seat, draftTile, why, setDraft }: OrdersProps) {
  const view = moment.public;
  const player = seat === null ? undefined : view.players[seat];
  const isOpen = canOrder(asked);
  const pair = blitz.pairs(moment.private?.hand ?? [])[0];
  const id = draftTile?.tile;
  const tile = id === undefined ? null : blitz.tileAt(view, id);
  return (
    <div class="tb-orders orders">
      <Answer why={why} refusal={refusal} hint={hint(moment.public, table, asked, draftTile)} />
      {asked && (
        <div class="row">
          {id !== undefined && tile && player && (
            <>
              {player.gold > 0 && (
                <OrderButton
                  isLegal={isOpen}
                  onOrder={() => void play({ type: "build_infantry", tile: id, count: player.gold })}
                >
                  +{blitz.count(player.gold, "troop")}
                </OrderButton>
              )}
              {player.gold > 1 && (
                <OrderButton isLegal={isOpen} onOrder={() => void play({ type: "build_infantry", tile: id, count: 1 })}>
                  +1
                </OrderButton>
              )}
              {pair && (
                <OrderButton
                  isLegal={isOpen}
                  onOrder={() => void play({ type: "build_tank", tile: id, cards: [pair[0].id, pair[1].id] })}
                >
                  +Tank for {blitz.face(pair[0])} {blitz.face(pair[1])}
                </OrderButton>
              )}
              {tile.troops > 0 && tile.troops + tile.tanks > 1 && (
                <Going draft={draftTile} troops={tile.troops - 1} tanks={tile.tanks} setDraft={setDraft} />
              )}
            </>
          )}
          <OrderButton kind="main" isLegal={isOpen} onOrder={() => void play({ type: "end_turn" })}>
            End turn
          </OrderButton>
        </div>
      )}
    </div>
  );
}

interface GoingProps {
  readonly draft: Draft | null;
  readonly troops: number;
  readonly tanks: number;
  readonly setDraft: Props["setDraft"];
}

/** How many units go; the tile to go to is chosen on the board. */
function Going({ draft, troops, tanks, setDraft }: GoingProps) {
  if (!draft) return null;
  const moving = draft.moving;
  if (!moving) {
    return (
      <button type="button" class="button" onClick={() => setDraft({ tile: draft.tile, moving: { troops, tanks } })}>
        Move…
      </button>
    );
  }
  const change = (part: Partial<NonNullable<Draft["moving"]>>) =>
    setDraft({ tile: draft.tile, moving: { ...moving, ...part } });
  return (
    <fieldset class="tb-going">
      <legend class="unseen">Who goes</legend>
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
  if (view.ended) return "The blitz is over.";
  if (!asked) return toMove(table, view.seat);
  if (!draft) return "Choose one of your tiles.";
  if (draft.moving) return "Choose which of your tiles they go to; beyond the next one it costs 1 stamina.";
  return `Tile ${draft.tile}: choose what to attack, or build here.`;
}

export function Hand({ hand }: { readonly hand: readonly Card[] }) {
  const paired = new Set(blitz.pairs(hand).flatMap((pair) => pair.map((card) => card.id)));
  const sorted = [...hand].sort((one, other) => one.value - other.value || one.id - other.id);
  return (
    <ul class="tb-hand" aria-label="Your cards">
      {sorted.map((card) => (
        <li key={card.id} class={`tb-card tb-${card.suit} ${paired.has(card.id) ? "tb-paired" : ""}`}>
          {blitz.face(card)}
        </li>
      ))}
      {!hand.length && <li class="quiet">No cards</li>}
    </ul>
  );
}
