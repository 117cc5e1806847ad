/** The legal actions: buttons for a few, step-by-step choices for many, and a form for unlisted ones. */

import { isMap } from "warroom-client";
import { gameOf } from "../../state";
import { actionKinds } from "../../ui/schema";
import { Answer, OrderButton, useFocusKept } from "../orders";
import { presentationOf } from "../presentation";
import { capital, spaced } from "../text_case";
import { type Choices, Chooser, MANY, Note, onlyFields } from "./chooser";
import { choicesOf, draftField, type Fields, FORM, PLACES, type Props, withDraftField } from "./draft_fields";
import { actionShape, type Notes, noteText } from "./hints";
import type { Looks } from "./looks";
import { isForm, OtherAction } from "./other_action";
import { type PlaceFields, type Placing, placesOf } from "./placing";
import { fieldTexts } from "./values";

interface ActionsProps extends Props {
  /** These are chosen on drawings; buttons cover the rest. */
  readonly fields: PlaceFields;
  readonly placing: Placing;
  readonly notes: Notes;
  readonly looks: Looks;
}

export function Actions({ fields, placing, notes, looks, ...props }: ActionsProps) {
  const { asked, table, draft, why } = props;
  const place = useFocusKept<HTMLElement>();
  if (table.seat === null) return null;
  const legal = asked?.legal?.filter(isMap) ?? [];
  const listed = [...legal.filter((action) => placesOf(action, fields).length === 0), ...placing.complete];
  const byKind = Map.groupBy(listed, (action) => String(action.type ?? ""));
  const schema = presentationOf(table.game).actions ?? gameOf(table.game)?.actions;
  // A form in progress stays while nothing can be played.
  const hasForm = asked?.legal ? !asked.isComplete : isForm(draftField(draft, FORM));
  return (
    <section class="actions" aria-label="Your actions" tabindex={-1} ref={place}>
      <Answer why={why} hint={hint(asked, table.isOver, !listed.length && !hasForm)} />
      {[...byKind].map(([kind, actions]) => (
        <Kind
          key={kind}
          kind={kind}
          actions={actions}
          names={namesOf(actions, fields)}
          shape={actionShape(schema, kind)}
          notes={notes}
          looks={looks}
          {...props}
        />
      ))}
      {hasForm && <OtherAction kinds={actionKinds(gameOf(table.game)?.actions ?? {})} {...props} />}
    </section>
  );
}

function hint(asked: Props["asked"], isOver: boolean, isOnBoard: boolean): string {
  if (isOver) return "The match is over.";
  if (!asked) return "Waiting for other players.";
  if (!asked.legal) return "Loading your actions…";
  return isOnBoard ? "Choose on the board." : "";
}

/** The fields of actions that are not chosen on a drawing. */
function namesOf(actions: readonly Fields[], fields: PlaceFields): readonly string[] {
  const drawn = fields.map(({ field }) => field);
  const isPlace = (name: string): boolean =>
    drawn.includes(name) && actions.every((action) => typeof action[name] === "number");
  return Object.keys(actions[0] ?? {}).filter((name) => name !== "type" && !isPlace(name));
}

function Kind({ isOpen, play, draft, setDraft, ...choices }: Props & Choices) {
  const { kind, actions, names, shape, notes, looks } = choices;
  const field = choicesOf(kind);
  if (actions.length <= MANY) {
    return (
      <div class="row">
        {actions.map((action) => (
          <OrderButton key={JSON.stringify(action)} isLegal={isOpen} onOrder={() => void play(action, [PLACES, field])}>
            {capital(
              [spaced(kind), fieldTexts(onlyFields(action, names), shape, looks).join(", ")].filter(Boolean).join(": "),
            )}
            <Note text={noteText(notes, action)} />
          </OrderButton>
        ))}
      </div>
    );
  }
  return (
    <Chooser
      {...choices}
      choices={draftField(draft, field)}
      isOpen={isOpen}
      onChoose={(chosen) => setDraft(withDraftField(draft, field, chosen))}
      onPlay={(action) => void play(action, [PLACES, field])}
    />
  );
}
