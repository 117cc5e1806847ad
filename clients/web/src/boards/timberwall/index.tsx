/** Timberwall: a field in the fog. Choose a unit, then its target; walls, deployments and wood have orders below. */

import "./timberwall.css";

import type { Action, GameEvent, PrivateView, PublicView } from "warroom-client/games/timberwall";
import { lazy, NoPart } from "../../ui/lazy";
import { type BoardProps, defineBoard } from "../board";
import { legalIf, pressing, useOrdering } from "../orders";
import { capital } from "../text_case";
import {
  Bases,
  Coordinates,
  colourOf,
  EDGE,
  ends,
  Fog,
  Forests,
  Ground,
  middle,
  near,
  TILE,
  UnitShape,
  unitLabel,
  Walls,
} from "./drawing";
import { durationOf, Effects, WALK_MS } from "./effects";
import { walksOf } from "./movement";
import { Orders } from "./orders";
import * as field from "./position";
import { Progress } from "./progress";
import { whyNot } from "./reasons";

type Props = BoardProps<PublicView, PrivateView, Action, GameEvent>;

function Board(props: Props) {
  const { moment, table, asked, setDraft } = props;
  const view = moment.public;
  const sight = field.sightOf(moment);
  const legal = asked?.legal ?? [];
  const ordering = useOrdering(props, table.seat === view.seat && !view.ended);
  const { isOpen, say, play } = ordering;
  const draft = props.draft as unknown as field.Draft | null;
  const chosen = draft?.mode === "unit" ? draft : null;
  const onTiles = tileActions(legal, draft);
  const onEdges = edgeActions(legal, draft);
  const movers = new Set(legal.filter(field.isOfUnit).map(field.at));
  const walks = props.pace > 0 ? walksOf(moment) : [];
  const asking = table.seat === null ? null : { view, sight, seat: table.seat };

  function compose(order: Parameters<typeof setDraft>[0]) {
    say(null);
    setDraft(order);
  }

  function pick(place: field.Place) {
    say(null);
    if (!isOpen || !asking) return;
    const action = onTiles.get(field.at(place));
    if (action) void play(action);
    else if (chosen && field.same(chosen, place)) setDraft(null);
    else if (movers.has(field.at(place))) setDraft({ mode: "unit", x: place.x, y: place.y });
    else say(whyNot(asking, place, draft));
  }

  const isTarget = (place: field.Place) => onTiles.has(field.at(place)) || movers.has(field.at(place));
  const side = view.options.size * TILE;
  return (
    <div class="timberwall">
      <Progress view={view} table={table} sight={sight} />
      <div class="tw-field">
        <svg
          viewBox={`${-EDGE} ${-EDGE} ${side + 2 * EDGE} ${side + 2 * EDGE}`}
          style={{ "--size": view.options.size }}
          role="group"
          aria-label="The field"
          onKeyDown={(event) => event.key === "Escape" && setDraft(null)}
          onClick={(event) => {
            const tile = tileUnder(event, view.options.size, isTarget);
            if (tile) pick(tile);
          }}
        >
          <Coordinates size={view.options.size} />
          <Ground view={view} />
          <Fog sight={sight} />
          <Forests view={view} sight={sight} />
          <Bases view={view} />
          <rect class="tw-area" width={side} height={side} />
          <Walls view={view} sight={sight} />
          {sight.units.map((unit) => (
            <UnitMark
              key={field.at(unit)}
              unit={unit}
              view={view}
              part={
                onTiles.has(field.at(unit))
                  ? "target"
                  : chosen && field.same(chosen, unit)
                    ? "chosen"
                    : movers.has(field.at(unit))
                      ? "choice"
                      : ""
              }
              isOpen={isOpen}
              arrivesMs={walks.some((walk) => field.same(walk.target, unit)) ? WALK_MS * props.pace : 0}
              pick={() => pick(unit)}
            />
          ))}
          {[...onTiles].map(([key, action]) => (
            <Target
              key={key}
              action={action}
              isFree={!sight.units.some((unit) => field.at(unit) === key)}
              at={placeOf(key)}
              isOpen={isOpen}
              pick={pick}
            />
          ))}
          {onEdges.map(([edge, action]) => (
            <EdgeTarget
              key={JSON.stringify(edge)}
              edge={edge}
              action={action}
              isOpen={isOpen}
              onPlay={() => isOpen && void play(action)}
            />
          ))}
          {props.pace > 0 && <Effects key={moment.serial} moment={moment} walks={walks} pace={props.pace} />}
        </svg>
      </div>
      <Orders {...props} {...ordering} selection={draft} setDraft={compose} asking={asking} />
    </div>
  );
}

/** The effect of a click on each tile. */
function tileActions(legal: readonly Action[], draft: field.Draft | null): Map<string, Action> {
  if (draft?.mode === "deploy") {
    const fitting = legal.filter((action) => action.type === "deploy" && action.points === draft.points);
    return new Map(fitting.map((action) => [field.at(action as field.Place & Action), action]));
  }
  if (draft?.mode !== "unit") return new Map();
  const own = legal.filter(field.isOfUnit).filter((action) => field.same(action, draft) && action.type !== "hit_wall");
  return new Map(own.map((action) => [field.at(field.targetOf(action)), action]));
}

/** The effect of a click on an edge. */
function edgeActions(legal: readonly Action[], draft: field.Draft | null): (readonly [field.Edge, Action])[] {
  return legal.flatMap((action): (readonly [field.Edge, Action])[] => {
    switch (action.type) {
      case "hit_wall":
        return draft?.mode === "unit" && field.same(action, draft) ? [[field.edgeHit(action), action]] : [];
      case "build_wall":
        return draft?.mode === "wall" ? [[action, action]] : [];
      case "remove_wall":
        return draft?.mode === "remove" ? [[action, action]] : [];
      default:
        return [];
    }
  });
}

function placeOf(key: string): field.Place {
  const [x = 0, y = 0] = key.split(",").map(Number);
  return { x, y };
}

/** The maximum distance of a touch from the centre of a target. */
const FINGER_PX = 20;

/** The tile meant by a click on open ground; null if something else was clicked. */
function tileUnder(event: MouseEvent, size: number, isTarget: (tile: field.Place) => boolean): field.Place | null {
  const ground = event.target;
  if (!(ground instanceof SVGRectElement && ground.classList.contains("tw-area"))) return null;
  const { left, top, width } = ground.getBoundingClientRect();
  const at = { x: ((event.clientX - left) / width) * size, y: ((event.clientY - top) / width) * size };
  const isFinger = matchMedia("(pointer: coarse)").matches;
  return field.tileMeant(at, size, isFinger ? (FINGER_PX * size) / width : 0, isTarget);
}

interface UnitMarkProps {
  readonly unit: field.Sight["units"][number];
  readonly view: PublicView;
  readonly part: "" | "choice" | "chosen" | "target";
  readonly isOpen: boolean;
  /** The duration of its move here, during which it is drawn as moving. */
  readonly arrivesMs: number;
  readonly pick: () => void;
}

function UnitMark({ unit, view, part, isOpen, arrivesMs, pick }: UnitMarkProps) {
  return (
    <g
      class={`tw-unit ${part && `tw-${part}`} ${arrivesMs ? "tw-arriving" : ""}`}
      style={arrivesMs ? { animationDuration: `${arrivesMs}ms` } : undefined}
      transform={middle(unit)}
      role="button"
      tabindex={part ? 0 : -1}
      aria-label={unitLabel(unit, view.colors[unit.seat] ?? "")}
      aria-pressed={part === "chosen"}
      data-legal={legalIf(isOpen && part === "choice")}
      {...pressing(pick)}
    >
      <title>{unitLabel(unit, view.colors[unit.seat] ?? "")}</title>
      <circle class="tw-halo" r="26" />
      <UnitShape points={unit.points} color={colourOf(view, unit.seat)} isShielded={unit.still >= field.STILL} />
    </g>
  );
}

interface TargetProps {
  readonly action: Action;
  readonly isFree: boolean;
  readonly at: field.Place;
  readonly isOpen: boolean;
  readonly pick: (place: field.Place) => void;
}

function Target({ action, isFree, at, isOpen, pick }: TargetProps) {
  return (
    <g
      class={`tw-aim tw-aim-${action.type}`}
      transform={middle(at)}
      role="button"
      tabindex={0}
      aria-label={field.aimedAt(action, at)}
      data-legal={legalIf(isOpen)}
      {...pressing(() => pick(at))}
    >
      <rect x={-TILE / 2 + 3} y={-TILE / 2 + 3} width={TILE - 6} height={TILE - 6} rx="6" />
      {isFree && <circle r="7" />}
    </g>
  );
}

interface EdgeProps {
  readonly edge: field.Edge;
  readonly action: Action;
  readonly isOpen: boolean;
  readonly onPlay: () => void;
}

function EdgeTarget({ edge, action, isOpen, onPlay }: EdgeProps) {
  const words = { hit_wall: "Hit the wall", build_wall: "Build a wall", remove_wall: "Remove the wall" };
  return (
    <g
      class={`tw-edge tw-edge-${action.type}`}
      role="button"
      tabindex={0}
      aria-label={`${words[action.type as keyof typeof words]} ${edge.side} of ${edge.x}, ${edge.y}`}
      data-legal={legalIf(isOpen)}
      {...pressing(onPlay)}
    >
      {/* It would cover the chosen unit, which a tap deselects, and other choices. */}
      {action.type !== "hit_wall" && <path class="tw-near" d={near(edge)} />}
      <line class="tw-reach" {...ends(edge)} />
      <line {...ends(edge)} />
    </g>
  );
}

export default defineBoard<PublicView, PrivateView, Action, GameEvent>({
  Board,
  Rules: lazy(() => import("./rules"), NoPart),
  tell: (event, table) => {
    const told = field.tell(event, table);
    return told === null ? null : capital(told);
  },
  showsRefusals: true,
  duration: ({ events }) => durationOf(events),
  toAct: (view) => (view.ended ? [] : [view.seat]),
  colour: (view, seat) => colourOf(view, seat),
  keyMoment: ({ events }, table) => {
    const found = events.find((event) => event.type === "base_hit" || event.type === "attack");
    return found ? capital(field.tell(found, table) ?? "") : null;
  },
});
