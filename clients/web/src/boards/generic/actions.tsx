/** What the own seat may do: buttons for a few actions, step-by-step choices for many, a form for those not listed. */

import { useId } from "preact/hooks";

import type { View } from "../../generated/messages";
import { gameOf } from "../../state";
import { SchemaField } from "../../ui/fields";
import { type ActionKind, actionKinds } from "../../ui/schema";
import type { BoardProps } from "../board";
import { canOrder, OrderButton, Undo } from "../orders";
import { actionInWords, capital, isMap, spaced, valueInWords } from "../words";

/** So many actions of one kind are shown as buttons at once. */
const MANY = 12;

type Fields = { readonly [key: string]: View };

/** *fields* are chosen on the drawing; only what cannot be said there has buttons. */
export function Actions({ fields, ...props }: BoardProps & { readonly fields: readonly string[] }) {
  const { asked, table, draft } = props;
  if (table.seat === null) return <p class="quiet actions-rest" />;
  const listed = asked?.legal?.filter(isMap).filter((action) => !isDrawn(action, fields));
  const byKind = Map.groupBy(listed ?? [], (action) => String(action.type ?? ""));
  const kinds = actionKinds(gameOf(table.game)?.actions ?? {});
  // A form that somebody is filling in stays while nothing can be played.
  const hasForm = asked?.legal ? !asked.isComplete : isForm(draft);
  return (
    <section class="actions" aria-label="What you may do">
      {listed?.length === 0 && !hasForm && <p class="quiet actions-rest">Choose on the board.</p>}
      {listed ? (
        [...byKind].map(([kind, actions]) => <Kind key={kind} kind={kind} actions={actions} {...props} />)
      ) : (
        <p class="quiet actions-rest">{asked ? "Looking what you may do…" : "Others are to act."}</p>
      )}
      {hasForm && <OtherAction kinds={kinds} {...props} />}
    </section>
  );
}

/** Whether an action is said by choosing places of the drawing, and nothing else. */
export function isDrawn(action: Fields, fields: readonly string[]): boolean {
  const names = Object.keys(action).filter((name) => name !== "type");
  return names.length > 0 && names.every((name) => fields.includes(name));
}

function Kind({
  kind,
  actions,
  asked,
  play,
  draft,
  setDraft,
}: BoardProps & { readonly kind: string; readonly actions: readonly Fields[] }) {
  if (actions.length <= MANY) {
    return (
      <div class="row">
        {actions.map((action) => (
          <OrderButton key={JSON.stringify(action)} isLegal={canOrder(asked)} onOrder={() => void play(action)}>
            {capital(actionInWords(action))}
          </OrderButton>
        ))}
      </div>
    );
  }
  const chosen = isMap(draft) && draft.type === kind ? draft : { type: kind };
  return <Chooser actions={actions} chosen={chosen} isOpen={canOrder(asked)} play={play} setDraft={setDraft} />;
}

interface ChooserProps {
  readonly actions: readonly Fields[];
  readonly chosen: Fields;
  readonly isOpen: boolean;
  readonly play: (action: View) => Promise<boolean>;
  readonly setDraft: (draft: View) => void;
}

/** One field after another, each offering what is legal with those chosen before it. */
function Chooser({ actions, chosen, isOpen, play, setDraft }: ChooserProps) {
  const names = Object.keys(actions[0] ?? {}).filter((name) => name !== "type");
  const fitting = (until: number) =>
    actions.filter((action) =>
      names.slice(0, until).every((name) => !(name in chosen) || same(action[name] ?? null, chosen[name] ?? null)),
    );
  const rest = fitting(names.length);
  const action = rest.length === 1 ? rest[0] : undefined;
  const kind = spaced(String(chosen.type));
  return (
    <form
      class="chooser"
      onSubmit={(event) => {
        event.preventDefault();
        if (action) void play(action);
      }}
    >
      <b>{capital(kind)}</b>
      {names.map((name, index) => {
        const values = [...new Set(fitting(index).map((each) => JSON.stringify(each[name] ?? null)))];
        return (
          <label key={name} class="field">
            <span class="name">{spaced(name)}</span>
            <select
              class="select"
              value={name in chosen ? JSON.stringify(chosen[name]) : ""}
              onChange={(event) => setDraft(choose(chosen, names, index, event.currentTarget.value))}
            >
              <option value="">choose…</option>
              {values.map((value) => (
                <option key={value} value={value}>
                  {valueInWords(JSON.parse(value) as View)}
                </option>
              ))}
            </select>
          </label>
        );
      })}
      <OrderButton kind="main" isLegal={isOpen && action !== undefined}>
        {capital(kind)}
      </OrderButton>
      {Object.keys(chosen).length > 1 && <Undo onUndo={() => setDraft(null)} />}
    </form>
  );
}

/** Choose one field; what was chosen after it need not fit any more, and goes. */
function choose(chosen: Fields, names: readonly string[], index: number, value: string): View {
  const kept = Object.entries(chosen).filter(([name]) => name === "type" || names.indexOf(name) < index);
  const name = names[index] ?? "";
  return Object.fromEntries(value === "" ? kept : [...kept, [name, JSON.parse(value) as View]]);
}

/** What the form of an action that is not listed holds: the draft, so that no step and no reload empties it. */
type FormDraft = { readonly form: string; readonly values: Fields };

function isForm(draft: View): draft is FormDraft {
  return isMap(draft) && typeof draft.form === "string" && isMap(draft.values ?? null);
}

type OtherProps = BoardProps & { readonly kinds: readonly ActionKind[] };

function OtherAction({ kinds, asked, play, draft, setDraft }: OtherProps) {
  const id = useId();
  const { form: type, values } = isForm(draft) ? draft : { form: "", values: {} };
  const plain = kinds.filter((kind) => kind.isPlain);
  const kind = plain.find((each) => each.type === type);
  return (
    <details class="other" open={isForm(draft)}>
      <summary>Another action</summary>
      <form
        class="chooser"
        onSubmit={(event) => {
          event.preventDefault();
          if (kind) void play(filled(kind, values));
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
            onChange={(event) => setDraft({ form: event.currentTarget.value, values })}
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
            onChange={(value) => setDraft({ form: type, values: { ...values, [entry.name]: value } })}
          />
        ))}
        <button type="submit" class="button main" disabled={!kind || !canOrder(asked)}>
          Do it
        </button>
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

function same(one: View, other: View): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
