/** Tile Blitz: 49 tiles and five seconds. Two clicks attack; a third gives the chosen tile's other orders. */

import "./tile_blitz.css";

import { useState } from "preact/hooks";

import type { Action, GameEvent, PrivateView, PublicView } from "warroom-client/games/tile_blitz";
import { lazy, NoPart } from "../../ui/lazy";
import { defineBoard } from "../board";
import { legalIf, pressing, useOrdering } from "../orders";
import { capital } from "../text_case";
import { durationOf, Effects } from "./effects";
import { Hand, Orders } from "./orders";
import * as blitz from "./position";
import { type Draft, type Props, TILE } from "./types";

function Board(props: Props) {
  const { moment, table, setDraft } = props;
  const view = moment.public;
  const seat = table.seat;
  const ordering = useOrdering(props, seat === view.seat && !view.ended);
  const { say, play } = ordering;
  const color = seat === null ? null : (view.players[seat]?.color ?? null);
  const canAct = ordering.isOpen && color !== null && seat !== null;
  const [next, setNext] = useState<number | null>(null); // the tile to select after the last order
  const kept = (props.draft as unknown as Draft | null) ?? (next === null ? null : { tile: next });
  const draft = kept && color !== null && blitz.tileAt(view, kept.tile).color === color ? fitting(view, kept) : null;

  function choose(id: number) {
    say(null);
    if (!canAct) return;
    setNext(null);
    const isOwn = blitz.tileAt(view, id).color === color;
    if (draft?.moving && isOwn && id !== draft.tile) move(draft, draft.moving, id);
    else if (isOwn) setDraft(draft?.tile === id ? null : { tile: id });
    else if (!draft) say("Choose one of your own tiles first.");
    else {
      const reason = blitz.whyNoAttack(view, color, draft.tile, id);
      if (reason) say(reason);
      else void send({ type: "attack", source: draft.tile, target: id }, id);
    }
  }

  function move(from: Draft, { troops, tanks }: { readonly troops: number; readonly tanks: number }, target: number) {
    if (seat === null) return;
    const reason = troops + tanks ? blitz.whyNoMove(view, seat, from.tile, target) : "Choose the units to move.";
    if (reason) say(reason);
    else {
      const type = blitz.areNeighbours(from.tile, target) ? "move" : "march";
      void send({ type, source: from.tile, target, troops, tanks }, target);
    }
  }

  function forget() {
    setNext(null);
    setDraft(null);
  }

  /** Play, and select the tile where the units are now. */
  async function send(action: Action, there: number) {
    if (await play(action)) setNext(there);
  }

  return (
    <div class="tile-blitz">
      <Purse view={view} table={table} seat={seat} />
      <svg
        viewBox={`0 0 ${blitz.SIDE * TILE} ${blitz.SIDE * TILE}`}
        role="group"
        aria-label="The tiles"
        onKeyDown={(event) => event.key === "Escape" && forget()}
      >
        {view.tiles.map((_, index) => (
          <TileMark
            key={index}
            id={index + 1}
            view={view}
            part={partOf(view, seat, draft, index + 1, canAct)}
            onChoose={() => choose(index + 1)}
          />
        ))}
        {props.pace > 0 && <Effects key={moment.serial} moment={moment} pace={props.pace} />}
      </svg>
      <Orders {...props} {...ordering} seat={seat} draftTile={draft} />
      {moment.private && <Hand hand={moment.private.hand} />}
      {moment.privates.map((secret, of) => secret && <Hand key={of} hand={secret.hand} name={table.name(of)} />)}
    </div>
  );
}

type Part = "" | "own" | "chosen" | "target" | "way";

function partOf(view: PublicView, seat: number | null, draft: Draft | null, id: number, canAct: boolean): Part {
  const color = seat === null ? null : (view.players[seat]?.color ?? null);
  if (!canAct || color === null || seat === null) return "";
  if (draft?.tile === id) return "chosen";
  if (draft && !blitz.whyNoAttack(view, color, draft.tile, id)) return "target";
  if (blitz.tileAt(view, id).color !== color) return "";
  if (!draft?.moving) return "own";
  const { troops, tanks } = draft.moving;
  return troops + tanks && !blitz.whyNoMove(view, seat, draft.tile, id) ? "way" : "";
}

/** The draft, limited to the units that are left. */
function fitting(view: PublicView, { tile, moving }: Draft): Draft {
  if (!moving) return { tile };
  const here = blitz.tileAt(view, tile);
  const troops = Math.max(0, Math.min(moving.troops, here.troops - 1));
  return { tile, moving: { troops, tanks: Math.min(moving.tanks, here.tanks) } };
}

interface MarkProps {
  readonly id: number;
  readonly view: PublicView;
  readonly part: Part;
  readonly onChoose: () => void;
}

function TileMark({ id, view, part, onChoose }: MarkProps) {
  const tile = blitz.tileAt(view, id);
  const [x, y] = blitz.placeOf(id);
  const label = `Tile ${id}, ${tile.color ?? "neutral"}, ${blitz.units(tile.troops, tile.tanks)}`;
  return (
    <g
      class={`tb-tile ${part && `tb-${part}`}`}
      transform={`translate(${y * TILE} ${x * TILE})`}
      role="button"
      tabindex={part ? 0 : -1}
      aria-label={part === "target" ? `${label}: attack` : part === "way" ? `${label}: go there` : label}
      aria-pressed={part === "chosen"}
      data-legal={legalIf(part !== "" && part !== "chosen")}
      data-tile={id}
      {...pressing(onChoose)}
    >
      <rect class="tb-ground" x="2" y="2" width={TILE - 4} height={TILE - 4} rx="6" style={groundOf(tile.color)} />
      <text class="tb-id" x="10" y="20">
        {id}
      </text>
      {tile.color && (
        <text class="tb-letter" x={TILE - 14} y="20">
          {tile.color.charAt(0).toUpperCase()}
        </text>
      )}
      <Units troops={tile.troops} tanks={tile.tanks} isHeld={tile.color !== null} />
      <rect class="tb-ring" x="4" y="4" width={TILE - 8} height={TILE - 8} rx="6" />
    </g>
  );
}

function groundOf(color: blitz.Color | null): { fill: string } | undefined {
  return color === null ? undefined : { fill: `var(--tb-${color})` };
}

function Units({
  troops,
  tanks,
  isHeld,
}: {
  readonly troops: number;
  readonly tanks: number;
  readonly isHeld: boolean;
}) {
  if (!isHeld) return null;
  return (
    <>
      <text class="tb-troops" x={tanks ? 32 : 50} y="66">
        {troops}
      </text>
      {tanks > 0 && (
        <g transform="translate(52 44)">
          <path class="tb-tank" d="M2 14h30l5 6v7H-3v-7zM9 7h15v7H9zM24 9h16v3H24z" />
          <text class="tb-tanks" x="18" y="44">
            {tanks}
          </text>
        </g>
      )}
    </>
  );
}

interface PurseProps {
  readonly view: PublicView;
  readonly table: Props["table"];
  readonly seat: number | null;
}

function Purse({ view, table, seat }: PurseProps) {
  const own = seat === null ? undefined : view.players[seat];
  const standing = blitz.standing(view);
  return (
    <div class="tb-purse">
      <span class="quiet number">
        Round {view.round} of {view.options.max_rounds}
      </span>
      {!view.ended && <span class="tb-next">{blitz.order(view, table)}</span>}
      <div
        class="tb-share"
        role="img"
        aria-label={view.players.map(({ color }, of) => `${color} ${standing[of]?.tiles ?? 0} tiles`).join(", ")}
      >
        {view.players.map(({ color }, of) => (
          <i key={color} style={{ flexGrow: standing[of]?.tiles ?? 0, background: `var(--tb-${color})` }} />
        ))}
        <i style={{ flexGrow: view.tiles.filter((tile) => tile.color === null).length }} />
      </div>
      {own && (
        <span class="number tb-means">
          <b>{own.gold}</b> gold <b>{own.stamina}</b> stamina
        </span>
      )}
    </div>
  );
}

export default defineBoard<PublicView, PrivateView, Action, GameEvent>({
  Board,
  Rules: lazy(() => import("./rules"), NoPart),
  tell: (event, table) => {
    const told = blitz.tell(event, table);
    return told === null ? null : capital(told);
  },
  showsRefusals: true,
  duration: ({ events }) => durationOf(events),
  toAct: (view) => (view.ended ? [] : [view.seat]),
  out: (view) => view.out,
  colour: (view, seat) => `var(--tb-${view.players[seat]?.color})`,
  keyMoment: ({ events }, table) => {
    const fallen = events.find((event) => event.type === "elimination");
    return fallen ? capital(blitz.tell(fallen, table) ?? "") : null;
  },
});
