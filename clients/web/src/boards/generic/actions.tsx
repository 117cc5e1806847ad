/** The legal actions: buttons for a few, step-by-step choices for many, and a form for unlisted ones. */

import { useId } from "preact/hooks";

import { isMap, type View } from "warroom-client";
import { gameOf } from "../../state";
import { SchemaField } from "../../ui/fields";
import { type ActionKind, actionKinds } from "../../ui/schema";
import { Answer, legalIf, OrderButton, Undo, useFocusKept } from "../orders";
import { actionText, valueText } from "../plain_text";
import { capital, spaced } from "../text_case";
import {
  choicesOf,
  draftField,
  type Fields,
  FORM,
  notesOf,
  type Props,
  same,
  stillOpen,
  withDraftField,
} from "./draft_fields";

/** Maximum number of actions of one kind shown as buttons. */
const MANY = 12;

/** *fields* are chosen on the drawing; buttons cover the rest. */
export function Actions({ fields, ...props }: Props & { readonly fields: readonly string[] }) {
  const { asked, table, draft, why } = props;
  const place = useFocusKept<HTMLElement>();
  if (table.seat === null) return null;
  const listed = asked?.legal?.filter(isMap).filter((action) => !isDrawn(action, fields));
  const byKind = Map.groupBy(listed ?? [], (action) => String(action.type ?? ""));
  const kinds = actionKinds(gameOf(table.game)?.actions ?? {});
  const note = notesOf(asked);
  // A form in progress stays while nothing can be played.
  const hasForm = asked?.legal ? !asked.isComplete : isForm(draftField(draft, FORM));
  return (
    <section class="actions" aria-label="Your actions" tabindex={-1} ref={place}>
      <Answer why={why} hint={hint(asked, listed?.length === 0 && !hasForm)} />
      {[...byKind].map(([kind, actions]) => (
        <Kind key={kind} kind={kind} actions={actions} note={note} {...props} />
      ))}
      {hasForm && <OtherAction kinds={kinds} {...props} />}
    </section>
  );
}

function hint(asked: Props["asked"], isOnBoard: boolean): string {
  if (!asked) return "Waiting for other players.";
  if (!asked.legal) return "Loading your actions…";
  return isOnBoard ? "Choose on the board." : "";
}

/** Whether an action is fully described by places of the drawing. */
export function isDrawn(action: Fields, fields: readonly string[]): boolean {
  const names = Object.keys(action).filter((name) => name !== "type");
  return names.length > 0 && names.every((name) => fields.includes(name));
}

interface Choices {
  readonly kind: string;
  readonly actions: readonly Fields[];
  readonly note: (action: Fields) => string;
}

function Kind({ kind, actions, note, isOpen, play, draft, setDraft }: Props & Choices) {
  if (actions.length <= MANY) {
    return (
      <div class="row">
        {actions.map((action) => (
          <OrderButton key={JSON.stringify(action)} isLegal={isOpen} onOrder={() => void play(action, [])}>
            {capital(actionText(action))}
            <Note text={note(action)} />
          </OrderButton>
        ))}
      </div>
    );
  }
  const field = choicesOf(kind);
  return (
    <Chooser
      kind={kind}
      actions={actions}
      note={note}
      choices={draftField(draft, field)}
      isOpen={isOpen}
      onChoose={(choices) => setDraft(withDraftField(draft, field, choices))}
      onPlay={(action) => void play(action, [field])}
    />
  );
}

/** The cost or gain of a choice. */
function Note({ text }: { readonly text: string }) {
  return text ? <span class="cost">{text}</span> : null;
}

interface ChooserProps extends Choices {
  readonly choices: View;
  readonly isOpen: boolean;
  readonly onChoose: (choices: View) => void;
  readonly onPlay: (action: View) => void;
}

/** One field after another; each offers what is legal with the earlier choices. */
function Chooser({ kind, actions, note, choices, isOpen, onChoose, onPlay }: ChooserProps) {
  const names = Object.keys(actions[0] ?? {}).filter((name) => name !== "type");
  const chosen = stillOpen(actions, names, choices);
  const fitting = (until: number) =>
    actions.filter((action) =>
      names.slice(0, until).every((name) => !(name in chosen) || same(action[name] ?? null, chosen[name] ?? null)),
    );
  const rest = fitting(names.length);
  const action = rest.length === 1 ? rest[0] : undefined;
  return (
    <form
      class="chooser"
      onSubmit={(event) => {
        event.preventDefault();
        if (isOpen && action) onPlay(action);
      }}
    >
      <b>{capital(spaced(kind))}</b>
      {names.map((name, index) => {
        const values = Map.groupBy(fitting(index), (each) => JSON.stringify(each[name] ?? null));
        return (
          <label key={name} class="field">
            <span class="name">{spaced(name)}</span>
            <select
              class="select"
              data-legal={legalIf(isOpen && !(name in chosen))}
              value={name in chosen ? JSON.stringify(chosen[name]) : ""}
              onChange={(event) => onChoose(choose(chosen, names, index, event.currentTarget.value))}
            >
              <option value="">choose…</option>
              {[...values].map(([value, [only, ...others]]) => (
                <option key={value} value={value}>
                  {[valueText(JSON.parse(value) as View), only && !others.length && note(only)]
                    .filter(Boolean)
                    .join(" · ")}
                </option>
              ))}
            </select>
          </label>
        );
      })}
      <OrderButton kind="main" isLegal={isOpen && action !== undefined}>
        {capital(spaced(kind))}
        <Note text={action ? note(action) : ""} />
      </OrderButton>
      {Object.keys(chosen).length > 0 && <Undo onUndo={() => onChoose(null)} />}
    </form>
  );
}

/** Choose one field and drop the later choices, which may no longer fit. */
function choose(chosen: Fields, names: readonly string[], index: number, value: string): View {
  const kept = Object.entries(chosen).filter(([name]) => names.indexOf(name) < index);
  const name = names[index] ?? "";
  return Object.fromEntries(value === "" ? kept : [...kept, [name, JSON.parse(value) as View]]);
}

/** The form of an unlisted action; it is part of the draft, so steps and reloads keep it. */
type FormDraft = { readonly type: string; readonly values: Fields };

function isForm(draft: View): draft is FormDraft {
  return isMap(draft) && typeof draft.type === "string" && isMap(draft.values);
}

type OtherProps = Props & { readonly kinds: readonly ActionKind[] };

function OtherAction({ kinds, isOpen, play, draft, setDraft }: OtherProps) {
  const id = useId();
  const drafted = draftField(draft, FORM);
  const { type, values } = isForm(drafted) ? drafted : { type: "", values: {} };
  const fill = (form: FormDraft): void => setDraft(withDraftField(draft, FORM, form));
  const plain = kinds.filter((kind) => kind.isPlain);
  const kind = plain.find((each) => each.type === type);
  return (
    <details class="other" open={isForm(drafted)}>
      <summary>More actions</summary>
      <form
        class="chooser"
        onSubmit={(event) => {
          event.preventDefault();
          if (kind && isOpen) void play(filled(kind, values), [FORM]);
        }}
      >
        <div class="field">
          <label class="name" for={id}>
            action
          </label>
          <select
            id={id}
            aria-describedby={`${id}-help`}
            class="select"
            value={type}
            onChange={(event) => fill({ type: event.currentTarget.value, values })}
          >
            <option value="">choose…</option>
            {plain.map((each) => (
              <option key={each.type} value={each.type}>
                {spaced(each.type)}
              </option>
            ))}
          </select>
          <span class="help" id={`${id}-help`}>
            {kind?.help}
          </span>
        </div>
        {kind?.entries.map((entry) => (
          <SchemaField
            key={entry.name}
            entry={entry}
            value={values[entry.name] ?? entry.fallback}
            onChange={(value) => fill({ type, values: { ...values, [entry.name]: value } })}
          />
        ))}
        <OrderButton kind="main" isLegal={isOpen && kind !== undefined}>
          Play
        </OrderButton>
      </form>
    </details>
  );
}

function filled(kind: ActionKind, values: Fields): View {
  const given = kind.entries
    .map((entry): [string, View] => [entry.name, values[entry.name] ?? entry.fallback ?? entry.choices[0] ?? null])
    .filter(([name, value]) => value !== null || kind.entries.find((entry) => entry.name === name)?.isRequired);
  return { type: kind.type, ...Object.fromEntries(given) };
}
