/** A clickable grid, board of columns or graph; the places that an action may name next are highlighted. */

import { legalIf, pressing, Undo } from "../orders";
import { spaced } from "../text_case";
import { type Fields, PLACES, type Props, withDraftField } from "./draft_fields";
import type { PlaceSpots, Plan, Spot } from "./drawing_plan";
import { type Notes, noteText } from "./hints";
import type { Looks } from "./looks";
import { after, type PlaceFields, type Placing, placesOf, targetsOf } from "./placing";

interface DrawingProps extends Props {
  readonly plan: Plan;
  /** The same drawing one step earlier. */
  readonly former: Plan | null;
  readonly number: number;
  readonly fields: PlaceFields;
  readonly placing: Placing;
  readonly notes: Notes;
  readonly looks: Looks;
}

export function Drawing(props: DrawingProps) {
  const { plan, former, number, fields, placing, notes, looks, isOpen, say, play, draft, setDraft } = props;
  const { chosen, fitting } = placing;
  const targets = targetsOf(placing, fields, number);
  const chosenHere = chosen.filter(([drawing]) => drawing === number).map(([, place]) => place);
  const take = (places: Placing["chosen"]): void => setDraft(withDraftField(draft, PLACES, places));
  /** The single action that choosing a place would complete. */
  const completed = (place: number): Fields | undefined => {
    const left = after(placing, fields, [number, place]);
    return left.length === 1 && placesOf(left[0] ?? {}, fields).length === chosen.length + 1 ? left[0] : undefined;
  };
  const noteAt = (place: number): string => {
    const action = isOpen && completed(place);
    return action ? noteText(notes, action) : "";
  };
  const noted = plan.places.map(({ place }) => ({ place, text: noteAt(place) })).filter(({ text }) => text);
  const choose = (place: number): void => {
    const only = completed(place);
    say(null);
    if (only) void play(only, [PLACES]);
    else if (targets.has(place)) take([...chosen, [number, place]]);
    else if (chosenHere.includes(place))
      take(
        chosen.slice(
          0,
          chosen.findIndex((each) => each[1] === place),
        ),
      );
    else say(`${NOUNS[plan.kind]} ${place} cannot be chosen now.`);
  };
  return (
    <figure class={`drawing ${plan.kind}`}>
      <svg
        viewBox={`-0.6 -0.6 ${plan.width + 0.2} ${plan.height + 0.2}`}
        style={{ "--widest": `${Math.max(plan.width * 96, 288)}px` }}
        role="group"
        aria-label="Board"
      >
        {plan.edges.map(([one, other]) => (
          <Edge key={`${one}-${other}`} from={firstSpot(plan, one)} to={firstSpot(plan, other)} />
        ))}
        {plan.places.map((each) => (
          <Place
            key={each.place}
            kind={plan.kind}
            each={each}
            former={former?.places[each.place]}
            isTarget={isOpen && targets.has(each.place)}
            isChosen={chosenHere.includes(each.place)}
            note={noteAt(each.place)}
            looks={looks}
            onChoose={() => isOpen && choose(each.place)}
          />
        ))}
      </svg>
      {noted.length > 0 && (
        <ul class="costs" aria-label="Cost or gain of the targets">
          {noted.map(({ place, text }) => (
            <li key={place}>
              {NOUNS[plan.kind]} {place} <span class="cost">{text}</span>
            </li>
          ))}
        </ul>
      )}
      {chosenHere.length > 0 && fitting.length > 0 && <Undo onUndo={() => take([])} />}
    </figure>
  );
}

const NOUNS = { grid: "Place", columns: "Column", graph: "Place" } as const;

function firstSpot(plan: Plan, place: number): Spot | undefined {
  return plan.places[place]?.spots[0];
}

function Edge({ from, to }: { readonly from: Spot | undefined; readonly to: Spot | undefined }) {
  return <line x1={from?.x} y1={from?.y} x2={to?.x} y2={to?.y} />;
}

interface PlaceProps {
  readonly kind: Plan["kind"];
  readonly each: PlaceSpots;
  readonly former: PlaceSpots | undefined;
  readonly isTarget: boolean;
  readonly isChosen: boolean;
  readonly note: string;
  readonly looks: Looks;
  readonly onChoose: () => void;
}

function Place({ kind, each, former, isTarget, isChosen, note, looks, onChoose }: PlaceProps) {
  const label = `${described(kind, each, looks)}${isTarget ? ", can be chosen" : ""}${note && `: ${note}`}`;
  const landing = kind === "columns" && isTarget ? each.spots.findIndex((spot) => spot.isFree) : -1;
  const { spots } = each;
  return (
    <g
      class={`spot ${isChosen ? "chosen" : isTarget ? "target" : ""}`}
      role="button"
      aria-disabled={!isTarget}
      tabindex={isTarget || isChosen ? 0 : -1}
      aria-label={label}
      data-legal={legalIf(isTarget)}
      {...pressing(onChoose)}
    >
      <title>{label}</title>
      {kind === "columns" && (
        <rect class="column" x={(spots[0]?.x ?? 0) - 0.5} y="-0.5" width="1" height={spots.length} />
      )}
      {spots.map((spot, order) => (
        <Cell
          key={order}
          kind={kind}
          spot={spot}
          looks={looks}
          isLanding={order === landing}
          isFresh={former !== undefined && !spot.isFree && isOther(spot, former.spots[order])}
        />
      ))}
    </g>
  );
}

function isOther(spot: Spot, former: Spot | undefined): boolean {
  return spot.seat !== former?.seat || spot.label !== former.label || spot.colour !== former.colour;
}

interface CellProps {
  readonly kind: Plan["kind"];
  readonly spot: Spot;
  readonly looks: Looks;
  readonly isLanding: boolean;
  readonly isFresh: boolean;
}

/** A square with a disc for its owner, a hole with a disc, or a node in the colour of its owner. */
function Cell({ kind, spot, looks: { colour, mark }, isLanding, isFresh }: CellProps) {
  const fill = spot.colour ? `var(--${spot.colour}, var(--ink-2))` : spot.seat === null ? null : colour(spot.seat);
  const isDisc = kind !== "graph" && fill !== null;
  return (
    <g
      class={[isLanding && "landing", isFresh && "fresh"].filter(Boolean).join(" ")}
      transform={`translate(${spot.x} ${spot.y})`}
    >
      {kind === "grid" && <rect class="cell" x="-0.46" y="-0.46" width="0.92" height="0.92" rx="0.08" />}
      {kind === "columns" && <circle class="cell" r="0.38" />}
      {kind === "graph" && <circle class="cell" r="0.36" style={{ fill: fill ?? "var(--well)" }} />}
      {isDisc && <circle class="disc" r={kind === "grid" ? 0.34 : 0.38} style={{ fill }} />}
      <text class={fill === null ? "" : "on"} y="0.12">
        {spot.label || (spot.seat === null ? "" : mark(spot.seat))}
      </text>
    </g>
  );
}

function described(kind: Plan["kind"], { place, spots }: PlaceSpots, looks: Looks): string {
  const filled = spots.filter((spot) => !spot.isFree);
  if (kind === "columns") {
    const pieces = filled.map((spot) => contentOf(spot, looks)).join(", ");
    return `column ${place}, ${filled.length} of ${spots.length} taken${pieces && `, from the bottom: ${pieces}`}`;
  }
  const [spot] = spots;
  const held = spot?.seat == null ? "" : `held by ${looks.name(spot.seat)}`;
  return [`place ${place}`, held, spot?.colour ?? "", spaced(spot?.label ?? "")].filter(Boolean).join(", ");
}

function contentOf(spot: Spot, looks: Looks): string {
  return [spot.seat === null ? "" : looks.name(spot.seat), spot.colour ?? "", spaced(spot.label)]
    .filter(Boolean)
    .join(" ");
}
