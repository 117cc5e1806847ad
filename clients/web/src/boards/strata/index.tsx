/** Strata: the five flat layers to play on, and a 3D model of the whole beside them. */

import "./strata.css";

import type { Action, GameEvent, PrivateView, PublicView } from "warroom-client/games/strata";
import { lazy, NoPart } from "../../ui/lazy";
import { type BoardProps, defineBoard, type Moment } from "../board";
import { Answer, legalIf, OrderButton, type Ordering, OrderRow, pressing, toMove, Undo, useOrdering } from "../orders";
import { capital } from "../text_case";
import { ModelView } from "./model";
import type { Vertex } from "./position";
import * as lattice from "./position";

type Props = BoardProps<PublicView, PrivateView, Action, GameEvent>;
type Step = Moment<PublicView, PrivateView, GameEvent>;
type Draft = { readonly vertex: Vertex } | null;

const STEP_MS = 500;
const COMBAT_MS = 1100;
const CELL = 60;

function Board(props: Props) {
  const { moment, table, asked, setDraft } = props;
  const view = moment.public;
  const ordering = useOrdering(props, table.seat === view.seat && !view.ended);
  const { isOpen, say, play } = ordering;
  const legal = asked?.legal ?? [];
  const drafted = (props.draft as unknown as Draft)?.vertex ?? null;
  const chosen = drafted && lattice.from(legal, drafted).length ? drafted : null;
  const going = chosen ? lattice.from(legal, chosen).filter((action) => "target" in action) : [];

  const isTarget = (vertex: Vertex) =>
    going.some((action) => "target" in action && lattice.same(action.target, vertex));
  const isChoice = (vertex: Vertex) => lattice.from(legal, vertex).length > 0;

  function pick(vertex: Vertex) {
    say(null);
    if (!isOpen || table.seat === null) return;
    const way = going.find((action) => "target" in action && lattice.same(action.target, vertex));
    if (way) void play(way);
    else if (lattice.same(chosen, vertex)) setDraft(null);
    else if (isChoice(vertex)) setDraft({ vertex });
    else say(lattice.whyNot(view, table.seat, vertex, chosen));
  }

  const sight = { view, table, chosen, isOpen, isTarget, isChoice };
  return (
    <div class="strata">
      <Standing view={view} table={table} />
      <div class="st-views">
        <ModelView sight={sight} pick={pick} />
        <div
          class="st-flat-view"
          role="group"
          aria-label="The layers"
          onKeyDown={(event) => event.key === "Escape" && setDraft(null)}
        >
          <div class="st-layers">
            {lattice.LAYERS.map((_, layer) => (
              <LayerView key={layer} layer={layer} sight={sight} moment={moment} pace={props.pace} pick={pick} />
            ))}
          </div>
        </div>
      </div>
      <Orders {...props} {...ordering} chosen={chosen} />
    </div>
  );
}

function Standing({ view, table }: { readonly view: PublicView; readonly table: Props["table"] }) {
  return (
    <div class="st-standing number">
      <span class="quiet">
        Turn {view.turn} of {view.options.max_turns}
      </span>
      {view.pools.map((pool, seat) => (
        <span key={seat}>
          <i class="st-chip" style={{ background: `var(--seat-${seat})` }} /> {table.name(seat)}: <b>{pool.pieces}</b>{" "}
          {pool.pieces === 1 ? "piece" : "pieces"}, <b>{pool.energy}</b> energy to place, dominion{" "}
          <b>{view.dominion[seat]}</b>
        </span>
      ))}
    </div>
  );
}

interface LayerProps {
  readonly layer: number;
  readonly sight: {
    readonly view: PublicView;
    readonly table: Props["table"];
    readonly chosen: Vertex | null;
    /** Whether anything can be chosen now. */
    readonly isOpen: boolean;
    isTarget(vertex: Vertex): boolean;
    isChoice(vertex: Vertex): boolean;
  };
  readonly moment: Step;
  readonly pace: number;
  readonly pick: (vertex: Vertex) => void;
}

function LayerView({ layer, sight, moment, pace, pick }: LayerProps) {
  const { size, required } = lattice.LAYERS[layer] ?? lattice.LAYERS[0];
  const lines = Array.from({ length: size }, (_, index) => (index + 0.5) * CELL);
  const side = size * CELL;
  return (
    <figure class="st-layer" style={{ "--size": size }}>
      <figcaption class="tiny quiet number">
        Layer {layer} · force {required}
      </figcaption>
      <svg viewBox={`0 0 ${side} ${side}`} role="group" aria-label={`Layer ${layer}`}>
        {lines.map((at) => (
          <path key={at} class="st-lines" d={`M0 ${at}H${side}M${at} 0V${side}`} />
        ))}
        {lattice.verticesOf(layer).map((vertex) => (
          <VertexMark key={vertex.join()} vertex={vertex} sight={sight} onPick={() => pick(vertex)} />
        ))}
        {pace > 0 && <Effects key={moment.serial} layer={layer} moment={moment} pace={pace} />}
      </svg>
    </figure>
  );
}

interface MarkProps {
  readonly vertex: Vertex;
  readonly sight: LayerProps["sight"];
  readonly onPick: () => void;
}

function VertexMark({ vertex, sight, onPick }: MarkProps) {
  const stack = lattice.stackAt(sight.view, vertex);
  const isTarget = sight.isTarget(vertex);
  const isChosen = lattice.same(sight.chosen, vertex);
  const isChoice = isTarget || sight.isChoice(vertex);
  const holds = stack !== null && lattice.occupies(stack, vertex);
  const part = isTarget ? "st-target" : isChosen ? "st-chosen" : isChoice ? "st-choice" : "";
  const home = [0, 1].find((seat) => lattice.isHome(seat, vertex));
  const what = stack ? lattice.described(stack, vertex, sight.table) : "empty";
  return (
    <g
      class={`st-vertex ${part}`}
      transform={`translate(${(vertex[2] + 0.5) * CELL} ${(vertex[1] + 0.5) * CELL})`}
      role="button"
      tabindex={isChoice ? 0 : -1}
      aria-label={`${lattice.named(vertex)}, ${what}${isTarget ? ": go there" : ""}`}
      aria-pressed={isChosen}
      data-legal={legalIf(sight.isOpen && isChoice && !isChosen)}
      data-vertex={vertex.join()}
      {...pressing(onPick)}
    >
      <title>{`${lattice.named(vertex)}: ${what}`}</title>
      <rect class="st-area" x={-CELL / 2} y={-CELL / 2} width={CELL} height={CELL} />
      {home !== undefined && (
        <rect class="st-home" x="-25" y="-25" width="50" height="50" rx="4" style={{ stroke: `var(--seat-${home})` }} />
      )}
      <circle class="st-halo" r={stack ? 27 : 13} />
      {stack ? (
        <>
          <circle
            class={holds ? "st-stack" : "st-stack st-idle"}
            r="23"
            style={{ "--of": `var(--seat-${stack.seat})` }}
          />
          <text class="st-pieces" y="1">
            {stack.pieces}
          </text>
          <text class="st-energy" y="15">
            ⚡{stack.energy}
          </text>
        </>
      ) : (
        <circle class="st-dot" r="5" />
      )}
    </g>
  );
}

/** The last step on one layer. */
function Effects({ layer, moment, pace }: { readonly layer: number; readonly moment: Step; readonly pace: number }) {
  const style = { animationDuration: `${durationOf(moment.events) * pace}ms` };
  return (
    <g class="st-effects">
      {moment.events.map((event, index) => {
        const where = "target" in event ? event.target : "vertex" in event ? event.vertex : null;
        if (!where || where[0] !== layer) return null;
        const at = `translate(${(where[2] + 0.5) * CELL} ${(where[1] + 0.5) * CELL})`;
        return (
          <g key={index} transform={at}>
            <circle class={event.type === "attack" ? "st-wave st-clash" : "st-wave"} r="24" style={style} />
            <text class="st-told" style={style}>
              {event.type === "attack" ? `${event.attacker.force} : ${event.defender.force}` : TOLD[event.type]}
            </text>
          </g>
        );
      })}
    </g>
  );
}

const TOLD: { readonly [type: string]: string } = { place: "+1", infuse: "⚡" };

function durationOf(events: readonly GameEvent[]): number {
  if (events.some((event) => event.type === "attack")) return COMBAT_MS;
  return events.some((event) => ["place", "infuse", "move"].includes(event.type)) ? STEP_MS : 0;
}

type OrdersProps = Props & Ordering<Action> & { readonly chosen: Vertex | null };

function Orders({ moment, table, asked, isOpen, why, say, play, setDraft, chosen }: OrdersProps) {
  const view = moment.public;
  const legal = asked?.legal ?? [];
  const here = chosen ? lattice.from(legal, chosen).filter((action) => "vertex" in action) : [];
  const end = legal.find((action) => action.type === "end_turn");
  const open = dutiesOf(view).flatMap(([name, isDone]) => (isDone ? [] : name.toLowerCase()));
  return (
    <div class="st-orders orders">
      <div class="stack">
        {asked && <Duties view={view} />}
        <Answer why={why} hint={hint(view, table, asked, chosen)} />
      </div>
      <OrderRow>
        {here.map((action) => (
          <OrderButton key={action.type} isLegal={isOpen} onOrder={() => void play(action)}>
            {action.type === "place" ? "Place a piece" : "Infuse energy"}
          </OrderButton>
        ))}
        {chosen && <Undo onUndo={() => setDraft(null)} />}
        {asked && (
          <OrderButton
            kind="main"
            isLegal={isOpen && end !== undefined}
            why={isOpen ? `Complete the duties of this turn first: ${open.join(", ")}.` : ""}
            say={say}
            onOrder={() => end && void play(end)}
          >
            End turn
          </OrderButton>
        )}
      </OrderRow>
    </div>
  );
}

function dutiesOf(view: PublicView): readonly (readonly [name: string, isDone: boolean])[] {
  return [
    ["Place", view.placed],
    ["Infuse", view.infused],
    ...(view.options.mandatory_move ? ([["Move", view.moved]] as const) : []),
  ];
}

function Duties({ view }: { readonly view: PublicView }) {
  return (
    <ul class="row" aria-label="Duties of this turn">
      {dutiesOf(view).map(([name, isDone]) => (
        <li key={name} class={isDone ? "tag good" : "tag"}>
          {isDone ? "✓ " : "○ "}
          {name}
          <span class="unseen">{isDone ? " done" : " open"}</span>
        </li>
      ))}
    </ul>
  );
}

function hint(view: PublicView, table: Props["table"], asked: Props["asked"], chosen: Vertex | null): string {
  if (view.ended) return "The match is over.";
  if (!asked) return toMove(table, view.seat);
  if (chosen) return `${lattice.named(chosen)}: build here, or choose where the stack goes.`;
  return "Choose a home corner to place, or one of your stacks.";
}

export default defineBoard<PublicView, PrivateView, Action, GameEvent>({
  Board,
  Rules: lazy(() => import("./rules"), NoPart),
  tell: (event, table) => {
    const told = lattice.tell(event, table);
    return told === null ? null : capital(told);
  },
  showsRefusals: true,
  duration: ({ events }) => durationOf(events),
  toAct: (view) => (view.ended ? [] : [view.seat]),
  out: (view) => view.out,
  colour: (_, seat) => `var(--seat-${seat})`,
  keyMoment: ({ events }, table) => {
    const clash = events.find((event) => event.type === "attack");
    return clash ? capital(lattice.tell(clash, table) ?? "") : null;
  },
});
