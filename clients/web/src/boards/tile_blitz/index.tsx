/** Tile Blitz: 49 tiles and five seconds. Two clicks attack; what the chosen tile can do is one more. */

import "./tile_blitz.css";

import { useState } from "preact/hooks";

import type { Action, Card, GameEvent, PrivateView, PublicView } from "../../generated/games/tile_blitz";
import { type BoardProps, defineBoard, type Moment } from "../board";
import { capital } from "../words";
import * as blitz from "./blitz";
import { Rules } from "./rules";

type Props = BoardProps<PublicView, PrivateView, Action, GameEvent>;
type Step = Moment<PublicView, PrivateView, GameEvent>;

/** What is composed: the chosen tile and, once units are to move, how many stay. */
interface Draft {
  readonly tile: number;
  readonly moving?: { readonly troops: number; readonly tanks: number };
}

const TILE = 100;
const STRIKE_MS = 520;
const WALK_MS = 380;
const BUILD_MS = 320;

function Board(props: Props) {
  const { moment, table, asked, play, setDraft } = props;
  const view = moment.public;
  const [why, setWhy] = useState<{ readonly turn: number; readonly text: string } | null>(null);
  const seat = table.seat;
  const color = seat === null ? null : (view.players[seat]?.color ?? null);
  const canAct = asked?.legal != null && !asked.isSending && color !== null && seat !== null;
  const [next, setNext] = useState<number | null>(null); // the tile to go on with after the last order
  const kept = (props.draft as unknown as Draft | null) ?? (next === null ? null : { tile: next });
  const draft = kept && color !== null && blitz.tileAt(view, kept.tile).color === color ? kept : null;

  function choose(id: number) {
    setWhy(null);
    if (!canAct) return;
    setNext(null);
    const isOwn = blitz.tileAt(view, id).color === color;
    if (draft?.moving && isOwn && id !== draft.tile) move(draft, draft.moving, id);
    else if (isOwn) setDraft(draft?.tile === id ? null : { tile: id });
    else if (!draft) setWhy({ turn: view.turn, text: "Choose one of your own tiles first." });
    else {
      const reason = blitz.whyNoAttack(view, color, draft.tile, id);
      if (reason) setWhy({ turn: view.turn, text: reason });
      else void send({ type: "attack", source: draft.tile, target: id }, id);
    }
  }

  function move(from: Draft, { troops, tanks }: { readonly troops: number; readonly tanks: number }, target: number) {
    if (seat === null) return;
    const reason = blitz.whyNoMove(view, seat, from.tile, target);
    if (reason) setWhy({ turn: view.turn, text: reason });
    else {
      const type = blitz.areNeighbours(from.tile, target) ? "move" : "march";
      void send({ type, source: from.tile, target, troops, tanks }, target);
    }
  }

  function forget() {
    setNext(null);
    setDraft(null);
  }

  /** Play, and go on with the tile where the units are now. */
  async function send(action: Action, there: number) {
    if (await play(action)) setNext(there);
  }

  return (
    <div class="tile-blitz">
      <Purse view={view} seat={seat} />
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
      <Orders {...props} seat={seat} draftTile={draft} why={why?.turn === view.turn ? why.text : null} />
      {moment.private && <Hand hand={moment.private.hand} />}
    </div>
  );
}

type Part = "" | "own" | "chosen" | "target" | "way";

function partOf(view: PublicView, seat: number | null, draft: Draft | null, id: number, canAct: boolean): Part {
  const color = seat === null ? null : (view.players[seat]?.color ?? null);
  if (!canAct || color === null || seat === null) return "";
  if (draft?.tile === id) return "chosen";
  if (draft?.moving && !blitz.whyNoMove(view, seat, draft.tile, id)) return "way";
  if (draft && !blitz.whyNoAttack(view, color, draft.tile, id)) return "target";
  return blitz.tileAt(view, id).color === color ? "own" : "";
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
      tabIndex={part ? 0 : -1}
      aria-label={part === "target" ? `${label}: attack` : part === "way" ? `${label}: go there` : label}
      aria-pressed={part === "chosen"}
      data-legal={part === "target" || part === "own" ? true : undefined}
      data-tile={id}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onChoose();
      }}
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

function Purse({ view, seat }: { readonly view: PublicView; readonly seat: number | null }) {
  const own = seat === null ? undefined : view.players[seat];
  const standing = blitz.standing(view);
  return (
    <div class="tb-purse">
      <span class="quiet number">
        Round {view.round} of {view.options.max_rounds}
      </span>
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

type OrdersProps = Props & {
  readonly seat: number | null;
  readonly draftTile: Draft | null;
  readonly why: string | null;
};

function Orders({ moment, table, asked, refusal, play, seat, draftTile, why, setDraft }: OrdersProps) {
  const view = moment.public;
  const player = seat === null ? undefined : view.players[seat];
  const isBusy = !asked?.legal || asked.isSending;
  const pair = blitz.pairs(moment.private?.hand ?? [])[0];
  const id = draftTile?.tile;
  const tile = id === undefined ? null : blitz.tileAt(view, id);
  return (
    <div class="tb-orders">
      <p class={why || refusal ? "refusal" : "quiet"} aria-live="polite">
        {why ?? refusal?.text ?? hint(moment.public, table, asked, draftTile)}
      </p>
      {asked && (
        <div class="row">
          {id !== undefined && tile && player && (
            <>
              {player.gold > 0 && (
                <button
                  type="button"
                  class="button"
                  data-legal
                  disabled={isBusy}
                  onClick={() => void play({ type: "build_infantry", tile: id, count: player.gold })}
                >
                  +{blitz.count(player.gold, "troop")}
                </button>
              )}
              {player.gold > 1 && (
                <button
                  type="button"
                  class="button"
                  disabled={isBusy}
                  onClick={() => void play({ type: "build_infantry", tile: id, count: 1 })}
                >
                  +1
                </button>
              )}
              {pair && (
                <button
                  type="button"
                  class="button"
                  data-legal
                  disabled={isBusy}
                  onClick={() => void play({ type: "build_tank", tile: id, cards: [pair[0].id, pair[1].id] })}
                >
                  +Tank for {blitz.face(pair[0])} {blitz.face(pair[1])}
                </button>
              )}
              {tile.troops > 0 && tile.troops + tile.tanks > 1 && (
                <Going draft={draftTile} troops={tile.troops - 1} tanks={tile.tanks} setDraft={setDraft} />
              )}
            </>
          )}
          <button
            type="button"
            class="button main"
            data-legal
            disabled={isBusy}
            onClick={() => void play({ type: "end_turn" })}
          >
            End turn
          </button>
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
      <button type="button" class="button plain" onClick={() => setDraft({ tile: draft.tile })}>
        Undo
      </button>
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
  if (!asked) return `${capital(table.name(view.seat))} ${table.seat === view.seat ? "are" : "is"} to move.`;
  if (!draft) return "Choose one of your tiles.";
  if (draft.moving) return "Choose which of your tiles they go to; beyond the next one it costs 1 stamina.";
  return `Tile ${draft.tile}: choose what to attack, or build here.`;
}

function Hand({ hand }: { readonly hand: readonly Card[] }) {
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

function centre(id: number): { readonly x: number; readonly y: number } {
  const [x, y] = blitz.placeOf(id);
  return { x: (y + 0.5) * TILE, y: (x + 0.5) * TILE };
}

/** What happened in the last step: who struck whom, who walked where, what was built. */
function Effects({ moment, pace }: { readonly moment: Step; readonly pace: number }) {
  const before = moment.before?.public;
  return (
    <g class="tb-effects">
      {moment.events.map((event, index) => {
        switch (event.type) {
          case "attack": {
            const [from, to] = [centre(event.source), centre(event.target)];
            const former = before ? blitz.tileAt(before, event.target) : null;
            const style = { animationDuration: `${STRIKE_MS * pace}ms` };
            return (
              <g key={index}>
                {former && (
                  <rect
                    class="tb-former"
                    x={to.x - 48}
                    y={to.y - 48}
                    width="96"
                    height="96"
                    rx="6"
                    style={{ ...style, fill: former.color ? `var(--tb-${former.color})` : "var(--well)" }}
                  />
                )}
                <line class="tb-strike" x1={from.x} y1={from.y} x2={to.x} y2={to.y} style={style} />
                <text class="tb-told" x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 + 9} style={style}>
                  {event.power} : {event.defence}
                </text>
              </g>
            );
          }
          case "move":
            return (
              <polyline
                key={index}
                class="tb-walk"
                points={event.path.map((id) => `${centre(id).x},${centre(id).y}`).join(" ")}
                style={{ animationDuration: `${WALK_MS * pace}ms` }}
              />
            );
          case "infantry":
          case "tank":
            return (
              <text
                key={index}
                class="tb-told"
                x={centre(event.tile).x}
                y={centre(event.tile).y - 8}
                style={{ animationDuration: `${BUILD_MS * pace}ms` }}
              >
                {event.type === "tank" ? "+tank" : `+${event.count}`}
              </text>
            );
          default:
            return null;
        }
      })}
    </g>
  );
}

const DURATIONS: { readonly [type in GameEvent["type"]]?: number } = {
  attack: STRIKE_MS,
  move: WALK_MS,
  infantry: BUILD_MS,
  tank: BUILD_MS,
};

export default defineBoard<PublicView, PrivateView, Action, GameEvent>({
  Board,
  Rules,
  tell: (event, table) => {
    const told = blitz.tell(event, table);
    return told === null ? null : capital(told);
  },
  duration: ({ events }) => Math.max(0, ...events.map((event) => DURATIONS[event.type] ?? 0)),
  toAct: (view) => (view.ended ? [] : [view.seat]),
  colour: (view, seat) => `var(--tb-${view.players[seat]?.color})`,
  turningPoint: ({ events }, table) => {
    const fallen = events.find((event) => event.type === "elimination");
    return fallen ? capital(blitz.tell(fallen, table) ?? "") : null;
  },
});
