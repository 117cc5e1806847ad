/** A clickable grid or graph; the places that an action may name next are highlighted. */

import { isMap, type View } from "warroom-client";
import { legalIf, pressing, Undo } from "../orders";
import { spaced } from "../text_case";
import { isDrawn } from "./actions";
import { draftField, type Fields, notesOf, PLACES, type Props, same, withDraftField } from "./draft_fields";
import type { Plan, Spot } from "./drawing_plan";

interface DrawingProps extends Props {
  readonly plan: Plan;
  readonly colour: (view: View, seat: number) => string;
}

export function Drawing({ plan, asked, isOpen, say, play, draft, setDraft, moment, table, colour }: DrawingProps) {
  const drafted = draftField(draft, PLACES);
  const actions = (asked?.legal ?? []).filter(isMap).filter((action) => isDrawn(action, plan.fields));
  const begun = Array.isArray(drafted) ? drafted.map(Number) : [];
  const leads = actions.some((action) => isBegun(named(action, plan.fields), begun));
  const chosen = leads ? begun : []; // another action may have made the choice impossible
  const fitting = actions.filter((action) => isBegun(named(action, plan.fields), chosen));
  const targets = new Set(fitting.map((action) => named(action, plan.fields)[chosen.length]));
  const take = (places: readonly number[]): void => setDraft(withDraftField(draft, PLACES, places));
  const note = notesOf(asked);
  /** The single action that choosing a place would complete. */
  const completed = (place: number): Fields | undefined => {
    const done = fitting.filter((action) => same(named(action, plan.fields), [...chosen, place]));
    return done.length === 1 ? done[0] : undefined;
  };
  const noteAt = (place: number): string => {
    const action = isOpen && completed(place);
    return action ? note(action) : "";
  };
  const noted = plan.spots.map(({ index }) => ({ index, text: noteAt(index) })).filter(({ text }) => text);
  const choose = (place: number): void => {
    const only = completed(place);
    say(null);
    if (only) void play(only, [PLACES]);
    else if (targets.has(place)) take([...chosen, place]);
    else if (chosen.includes(place)) take(chosen.slice(0, chosen.indexOf(place)));
    else say(`Place ${place} cannot be chosen now.`);
  };
  const look = (spot: Spot): string => {
    if (spot.colour) return `var(--${spot.colour}, var(--ink-2))`;
    return spot.seat === null ? "var(--well)" : colour(moment.public, spot.seat);
  };
  return (
    <figure class={`drawing ${plan.kind}`}>
      <svg viewBox={`-0.6 -0.6 ${plan.width + 0.2} ${plan.height + 0.2}`} role="group" aria-label="Board">
        {plan.edges.map(([one, other]) => (
          <line
            key={`${one}-${other}`}
            x1={plan.spots[one]?.x}
            y1={plan.spots[one]?.y}
            x2={plan.spots[other]?.x}
            y2={plan.spots[other]?.y}
          />
        ))}
        {plan.spots.map((spot) => {
          const isTarget = isOpen && targets.has(spot.index);
          const state = chosen.includes(spot.index) ? "chosen" : isTarget ? "target" : "";
          const label = describe(spot, table.name(spot.seat), isTarget, noteAt(spot.index));
          return (
            <g
              key={spot.index}
              class={`spot ${state}`}
              transform={`translate(${spot.x} ${spot.y})`}
              role="button"
              aria-disabled={!isTarget}
              tabindex={isTarget || state === "chosen" ? 0 : -1}
              aria-label={label}
              data-legal={legalIf(isTarget)}
              {...pressing(() => isOpen && choose(spot.index))}
            >
              <title>{label}</title>
              {plan.kind === "grid" ? (
                <rect x="-0.46" y="-0.46" width="0.92" height="0.92" rx="0.08" />
              ) : (
                <circle r="0.36" style={{ fill: look(spot) }} />
              )}
              {plan.kind === "grid" && spot.seat !== null && <circle r="0.3" style={{ fill: look(spot) }} />}
              <text class={spot.colour !== null || spot.seat !== null ? "on" : ""} y="0.12">
                {spot.label || (spot.seat === null ? "" : spot.seat + 1)}
              </text>
            </g>
          );
        })}
      </svg>
      {noted.length > 0 && (
        <ul class="costs" aria-label="Cost or gain of the targets">
          {noted.map(({ index, text }) => (
            <li key={index}>
              Place {index} <span class="cost">{text}</span>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && <Undo onUndo={() => take([])} />}
    </figure>
  );
}

/** The places that an action names, in order. */
function named(action: Fields, fields: readonly string[]): number[] {
  return fields.filter((field) => field in action).map((field) => Number(action[field]));
}

function isBegun(places: readonly number[], begun: readonly number[]): boolean {
  return begun.every((place, order) => places[order] === place);
}

function describe(spot: Spot, holder: string, isTarget: boolean, note: string): string {
  const parts = [
    `place ${spot.index}`,
    spot.seat === null ? "" : `held by ${holder}`,
    spot.colour ?? "",
    spaced(spot.label),
  ];
  return `${parts.filter(Boolean).join(", ")}${isTarget ? ", can be chosen" : ""}${note && `: ${note}`}`;
}
