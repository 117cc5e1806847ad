/** Graph Battle: choose an own node, then a target; the coin flips are shown one by one. */

import "./graph_battle.css";

import type { Action, AttackedEvent, GameEvent, PrivateView, PublicView } from "warroom-client/games/graph_battle";
import { lazy, NoPart } from "../../ui/lazy";
import { type BoardProps, defineBoard, type Moment } from "../board";
import { Answer, legalIf, OrderButton, type Ordering, OrderRow, pressing, toMove, Undo, useOrdering } from "../orders";
import { capital as capitalised } from "../text_case";
import * as graph from "./position";

type Props = BoardProps<PublicView, PrivateView, Action, GameEvent>;
type Step = Moment<PublicView, PrivateView, GameEvent>;

/** The draft: the node to attack from, or that a capital must be chosen. */
type Draft = { readonly source: number } | { readonly capital: true } | null;

const FLIP_MS = 170;
const LONGEST_MS = 2600;
const GAIN_MS = 900;

function Board(props: Props) {
  const { moment, asked, table, draft, setDraft } = props;
  const view = moment.public;
  const ordering = useOrdering(props, table.seat === view.seat && !view.ended);
  const { isOpen, say, play } = ordering;
  const points = graph.places(view);
  const legal = asked?.legal ?? [];
  const attacks = graph.attacks(legal);
  const chosen = draft as Draft;
  const isNaming = chosen !== null && "capital" in chosen;
  const source =
    chosen !== null && "source" in chosen && attacks.some((a) => a.source === chosen.source) ? chosen.source : null;
  const capitals = new Set(isNaming ? graph.capitals(legal) : []);
  const targets = new Set(attacks.filter((attack) => attack.source === source).map((attack) => attack.target));
  const sources = new Set(attacks.map((attack) => attack.source));

  function choose(node: number) {
    say(null);
    if (!isOpen || table.seat === null) return;
    if (isNaming) {
      if (capitals.has(node)) void play({ type: "end_turn", capital: node });
      else say("Only nodes at the border of your largest territory can be the capital.");
    } else if (source !== null && targets.has(node)) void play({ type: "attack", source, target: node });
    else if (source === node) setDraft(null);
    else if (sources.has(node)) setDraft({ source: node });
    else say(source === null ? graph.whyNoSource(view, node, table.seat) : graph.whyNoTarget(view, source, node));
  }

  return (
    <div class="graph-battle">
      <Header view={view} />
      <svg
        viewBox={graph.frame(points)}
        role="group"
        aria-label="The graph"
        onKeyDown={(event) => event.key === "Escape" && setDraft(null)}
      >
        <g class="gb-edges">
          {graph.edges(view).map(({ from, to }) => {
            const [a, b] = [points[from], points[to]];
            const [one, other] = [view.nodes[from], view.nodes[to]];
            const isOwn = one !== undefined && one.color === other?.color;
            if (!a || !b) return null;
            return (
              <line
                key={`${from}-${to}`}
                x1={a.x}
                y1={a.y}
                x2={b.x}
                y2={b.y}
                class={isOwn ? "gb-territory" : undefined}
                style={isOwn ? { stroke: `var(--${one.color})` } : undefined}
              />
            );
          })}
        </g>
        {view.nodes.map((_, node) => (
          <NodeMark
            key={node}
            node={node}
            at={points[node] ?? { x: 0, y: 0 }}
            view={view}
            part={source === node ? "source" : targets.has(node) ? "target" : capitals.has(node) ? "capital" : ""}
            isChoice={isNaming ? capitals.has(node) : sources.has(node) || targets.has(node)}
            isOpen={isOpen}
            chance={
              source !== null && targets.has(node)
                ? graph.odds(strength(view, source), strength(view, node), view.options)
                : null
            }
            onChoose={() => choose(node)}
          />
        ))}
        {props.pace > 0 && <Effects key={moment.serial} moment={moment} points={points} pace={props.pace} />}
      </svg>
      <Footer {...props} {...ordering} source={source} isNaming={isNaming} />
    </div>
  );
}

function strength(view: PublicView, node: number): number {
  return view.nodes[node]?.strength ?? 0;
}

function Header({ view }: { readonly view: PublicView }) {
  const standing = graph.standing(view);
  const all = view.nodes.length;
  return (
    <div class="gb-header">
      <span class="quiet number">
        Round {view.round} of {graph.lastRound(view.options)}
      </span>
      <div
        class="gb-share"
        role="img"
        aria-label={view.colors.map((color, seat) => `${color} ${standing[seat]?.nodes ?? 0} nodes`).join(", ")}
      >
        {view.colors.map((color, seat) => (
          <i key={color} style={{ flexGrow: (standing[seat]?.nodes ?? 0) / all, background: `var(--${color})` }} />
        ))}
      </div>
    </div>
  );
}

interface MarkProps {
  readonly node: number;
  readonly at: graph.Point;
  readonly view: PublicView;
  readonly part: "source" | "target" | "capital" | "";
  readonly isChoice: boolean;
  readonly isOpen: boolean;
  readonly chance: number | null;
  readonly onChoose: () => void;
}

function NodeMark({ node, at, view, part, isChoice, isOpen, chance, onChoose }: MarkProps) {
  const here = view.nodes[node];
  if (!here) return null;
  const label = `Node ${node}, ${here.color}, strength ${here.strength}`;
  const odds = chance === null ? "" : `, attack it: ${graph.percent(chance)}`;
  return (
    <g
      class={`gb-node ${part && `gb-${part}`} ${isChoice ? "gb-choice" : ""}`}
      transform={`translate(${at.x} ${at.y})`}
      role="button"
      tabindex={isChoice ? 0 : -1}
      aria-label={label + odds}
      aria-pressed={part === "source"}
      data-legal={legalIf(isOpen && isChoice)}
      data-node={node}
      {...pressing(onChoose)}
    >
      <circle class="gb-reach" r={graph.STEP / 2} />
      <circle class="gb-halo" r={graph.RADIUS + 8} />
      <circle class="gb-disc" r={graph.RADIUS} style={{ fill: `var(--${here.color})` }} />
      <text class="gb-strength" y="10">
        {here.strength}
      </text>
      <text class="gb-id" x={graph.RADIUS + 10} y={-graph.RADIUS / 3}>
        {node}
      </text>
      {chance !== null && (
        <g class="gb-odds" transform={`translate(0 ${graph.RADIUS + 2})`}>
          <rect x="-30" y="-12" width="60" height="24" rx="12" />
          <text y="6">{graph.percent(chance)}</text>
        </g>
      )}
    </g>
  );
}

/** The last step: the battle with its coins, captured nodes, gains. */
function Effects({
  moment,
  points,
  pace,
}: {
  readonly moment: Step;
  readonly points: readonly graph.Point[];
  readonly pace: number;
}) {
  const attack = moment.events.find((event): event is AttackedEvent => event.type === "attack");
  return (
    <g class="gb-effects">
      {attack && <Battle attack={attack} moment={moment} points={points} pace={pace} />}
      {moment.events.map((event) =>
        event.type === "reinforcement"
          ? event.gains.map(({ node, strength }) => (
              <text
                key={node}
                class="gb-gain"
                x={points[node]?.x}
                y={(points[node]?.y ?? 0) - graph.RADIUS}
                style={{ animationDuration: `${GAIN_MS * pace}ms`, animationDelay: `${battleMs(attack) * pace}ms` }}
              >
                +{strength}
              </text>
            ))
          : null,
      )}
    </g>
  );
}

interface BattleProps {
  readonly attack: AttackedEvent;
  readonly moment: Step;
  readonly points: readonly graph.Point[];
  readonly pace: number;
}

function Battle({ attack, moment, points, pace }: BattleProps) {
  const [from, to] = [points[attack.source], points[attack.target]];
  const before = moment.before?.public.nodes;
  if (!from || !to || !before) return null;
  const all = battleMs(attack) * pace;
  const each = (all * 0.8) / Math.max(1, attack.flips.length);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const width = Math.min(26, 220 / Math.max(1, attack.flips.length));
  return (
    <>
      {[attack.source, attack.target].map((node) => (
        // The nodes before the battle, until the coins have landed.
        <g
          key={node}
          class="gb-former"
          transform={`translate(${points[node]?.x} ${points[node]?.y})`}
          style={{ animationDuration: `${all}ms` }}
        >
          <circle r={graph.RADIUS + 0.5} style={{ fill: `var(--${before[node]?.color})` }} />
          <text class="gb-strength" y="10">
            {before[node]?.strength}
          </text>
        </g>
      ))}
      <line class="gb-charge" x1={from.x} y1={from.y} x2={to.x} y2={to.y} style={{ animationDuration: `${all}ms` }} />
      <g transform={`translate(${middle.x - ((attack.flips.length - 1) * width) / 2} ${middle.y})`}>
        {[...attack.flips].map((flip, index) => (
          <g
            key={index}
            class={`gb-coin gb-coin-${flip}`}
            transform={`translate(${index * width} 0)`}
            style={{ animationDuration: `${all - each * index}ms`, animationDelay: `${each * index}ms` }}
          >
            <circle r={Math.min(12, width / 2)} />
            <text y="5">{flip === "a" ? "×" : "–"}</text>
          </g>
        ))}
      </g>
    </>
  );
}

function battleMs(attack: AttackedEvent | undefined): number {
  return attack ? Math.min(LONGEST_MS, 600 + attack.flips.length * FLIP_MS) : 0;
}

type FooterProps = Props & Ordering<Action> & { readonly source: number | null; readonly isNaming: boolean };

function Footer({ moment, table, asked, isOpen, why, play, setDraft, source, isNaming }: FooterProps) {
  const canName = graph.capitals(asked?.legal ?? []).length > 0;
  return (
    <div class="gb-footer orders">
      <Answer why={why} hint={hint(moment.public, table, asked, source, isNaming)} />
      <OrderRow>
        {(source !== null || isNaming) && <Undo onUndo={() => setDraft(null)} />}
        {canName && !isNaming && (
          <OrderButton isLegal={isOpen} onOrder={() => setDraft({ capital: true })}>
            End turn at a capital…
          </OrderButton>
        )}
        {asked && (
          <OrderButton isLegal={isOpen} onOrder={() => void play({ type: "end_turn" })}>
            End turn
          </OrderButton>
        )}
      </OrderRow>
    </div>
  );
}

function hint(
  view: PublicView,
  table: Props["table"],
  asked: Props["asked"],
  source: number | null,
  isNaming: boolean,
): string {
  if (view.ended) return "The battle is over.";
  if (!asked) return toMove(table, view.seat);
  if (!asked.legal) return "Loading your actions…";
  if (isNaming) return "Choose the node that gets all reinforcements.";
  if (source !== null) return `Attack from ${source}: choose a target. The percentages are your odds.`;
  return "Choose one of your nodes to attack from, or end your turn to get reinforcements.";
}

export default defineBoard<PublicView, PrivateView, Action, GameEvent>({
  Board,
  Rules: lazy(() => import("./rules"), NoPart),
  tell: (event, table) => {
    const told = graph.tell(event, table);
    return told === null ? null : capitalised(told);
  },
  showsRefusals: true,
  duration: ({ events }) => {
    const gains = events.some((event) => event.type === "reinforcement") ? GAIN_MS : 0;
    return battleMs(events.find((event): event is AttackedEvent => event.type === "attack")) + gains;
  },
  toAct: (view) => (view.ended ? [] : [view.seat]),
  out: (view) => view.out,
  colour: (view, seat) => `var(--${view.colors[seat]})`,
  keyMoment: ({ events }, table) => {
    const fallen = events.find((event) => event.type === "elimination");
    return fallen ? capitalised(graph.tell(fallen, table) ?? "") : null;
  },
});
