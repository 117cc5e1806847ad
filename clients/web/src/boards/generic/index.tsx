/** The board for games without their own: drawings, players and values by the hints of the game, and its actions. */

import "./generic.css";

import { isMap, type View } from "warroom-client";
import { type BoardProps, defineBoard, type Table } from "../board";
import { eventSentences } from "../event_sentences";
import { useOrdering } from "../orders";
import { eventText } from "../plain_text";
import { presentationOf } from "../presentation";
import { Actions } from "./actions";
import { draftField, notesOf, PLACES, same } from "./draft_fields";
import { Drawing } from "./drawing";
import { plansOf } from "./drawing_plan";
import { type Shape, shapeOf } from "./field_order";
import { hintsIn, type Path, pricesIn, without } from "./hints";
import { type Looks, marksOf } from "./looks";
import { placeFields, placingOf } from "./placing";
import { listsBySeat, PlayersTable } from "./players_table";
import { Tree } from "./tree";

function GenericBoard(given: BoardProps) {
  const props = { ...given, ...useOrdering(given, false) };
  const { moment, table, asked, draft } = props;
  const before = moment.before?.public ?? null;
  const { view, private: secret } = presentationOf(table.game);
  const [shape, secretShape] = [shapeOf(view), shapeOf(secret)];
  const plans = plansOf(view, moment.public);
  const formerPlans = plansOf(view, before);
  const fields = placeFields(plans);
  const placing = placingOf(asked?.legal?.filter(isMap) ?? [], fields, draftField(draft, PLACES));
  const notes = {
    told: notesOf(asked),
    price: pricesIn([
      { view: moment.public, shape },
      { view: moment.private, shape: secretShape },
    ]),
  };
  const shown = [...plans.flatMap(({ drawn }) => drawn), ...listsBySeat(moment.public, shape)];
  const rest = (whole: View): View => without(unhidden(whole, table, shape), shown);
  const looks = looksOf(table, moment.public);
  const orders = { fields, placing, notes, looks };
  return (
    <div class="generic">
      {plans.map((plan, number) => (
        <Drawing key={number} plan={plan} former={formerPlans[number] ?? null} number={number} {...orders} {...props} />
      ))}
      {moment.private !== null && (
        <Part
          title="Only you see"
          view={without(moment.private, hiddenIn(secretShape))}
          before={moment.before?.private ?? null}
          shape={secretShape}
          looks={looks}
        />
      )}
      <PlayersTable
        view={moment.public}
        before={before}
        shape={shape}
        seats={table.seats.length}
        toAct={table.isOver ? [] : toAct(moment.public)}
        looks={looks}
      />
      <Part title="The table" view={rest(moment.public)} before={rest(before)} shape={shape} looks={looks} />
      {moment.privates.map(
        (each, seat) =>
          each !== null && (
            <Part
              key={seat}
              title={`Only ${table.name(seat)} sees`}
              view={without(each, hiddenIn(secretShape))}
              before={null}
              shape={secretShape}
              looks={looks}
            />
          ),
      )}
      <Actions {...props} {...orders} />
    </div>
  );
}

/** A tree, unless nothing is left for it. */
function Part(props: Parameters<typeof Tree>[0]) {
  return isMap(props.view) && !Object.keys(props.view).length ? null : <Tree {...props} />;
}

/** Return a view without what is shown elsewhere: hidden fields, and the options of the room. */
function unhidden(view: View, table: Table, shape: Shape | null): View {
  const isKnown = isMap(view) && "options" in view && same(sorted(view.options ?? null), sorted(table.options));
  const hidden = hiddenIn(shape);
  return without(view, isKnown ? [["options"], ...hidden] : hidden);
}

function hiddenIn(shape: Shape | null): readonly Path[] {
  return hintsIn(shape, ["x-hidden"]).map(({ path }) => path);
}

/** Return a map with its keys in a fixed order. */
function sorted(view: View): View {
  return isMap(view) ? Object.fromEntries(Object.entries(view).sort(([one], [other]) => (one < other ? -1 : 1))) : view;
}

function looksOf(table: Table, view: View): Looks {
  const marks = marksOf(table.seats);
  return {
    name: (seat) => table.name(seat),
    colour: (seat) => seatColour(view, seat),
    mark: (seat) => marks[seat] ?? String(seat),
  };
}

export default defineBoard<View, View, View, View>({
  Board: GenericBoard,
  tell: eventText,
  tellAll: eventSentences,
  showsRefusals: true,
  duration: () => 0,
  toAct,
  colour: seatColour,
});

function toAct(view: View): readonly number[] {
  return isMap(view) && typeof view.seat === "number" ? [view.seat] : [];
}

function seatColour(view: View, seat: number): string {
  return COLOURS.get(colourName(view, seat)) ?? `var(--seat-${seat % 6})`;
}

const COLOURS = new Map(
  ["red", "green", "yellow", "blue", "purple", "teal"].map((name): [string, string] => [name, `var(--${name})`]),
);

/** Many games have the colours of the seats in a list, or per player. */
function colourName(view: View, seat: number): string {
  if (!isMap(view)) return "";
  if (Array.isArray(view.colors)) return String(view.colors[seat] ?? "");
  const player: View | undefined = Array.isArray(view.players) ? view.players[seat] : undefined;
  return isMap(player) ? String(player.color ?? "") : "";
}
