/** The board for games without their own: the view as a tree, and the legal actions as buttons and forms. */

import "./generic.css";

import { isMap, type View } from "warroom-client";
import { type BoardProps, defineBoard } from "../board";
import { eventSentences } from "../event_sentences";
import { useOrdering } from "../orders";
import { eventText } from "../plain_text";
import { presentationOf } from "../presentation";
import { Actions } from "./actions";
import { Drawing } from "./drawing";
import { planOf, without } from "./drawing_plan";
import { shapeOf } from "./field_order";
import { Tree } from "./tree";

function GenericBoard(given: BoardProps) {
  const props = { ...given, ...useOrdering(given, false) };
  const { moment, table } = props;
  const schema = presentationOf(table.game).view;
  const plan = planOf(schema, moment.public);
  const rest = (view: View): View => (plan ? without(view, plan.drawn) : view);
  return (
    <div class="generic">
      {plan && <Drawing plan={plan} {...props} colour={seatColour} />}
      <Tree
        title="The table"
        view={rest(moment.public)}
        before={rest(moment.before?.public ?? null)}
        shape={shapeOf(schema)}
      />
      {moment.private !== null && (
        <Tree title="Only you see" view={moment.private} before={moment.before?.private ?? null} shape={null} />
      )}
      {moment.privates.map((view, seat) => (
        <Tree key={seat} title={`Only ${props.table.name(seat)} sees`} view={view} before={null} shape={null} />
      ))}
      <Actions {...props} fields={plan?.fields ?? []} />
    </div>
  );
}

export default defineBoard<View, View, View, View>({
  Board: GenericBoard,
  tell: eventText,
  tellAll: eventSentences,
  showsRefusals: true,
  duration: () => 0,
  toAct: (view) => (isMap(view) && typeof view.seat === "number" ? [view.seat] : []),
  colour: seatColour,
});

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
