/** Chooses one of many actions of a kind, field by field. */

import type { View } from "warroom-client";
import { legalIf, OrderButton, Undo } from "../orders";
import { capital, spaced } from "../text_case";
import { type Fields, same, stillOpen } from "./draft_fields";
import type { Shape } from "./field_order";
import { fieldShape, type Notes, noteText } from "./hints";
import type { Looks } from "./looks";
import { fieldTexts, labelOf, textOf, Value } from "./values";

/** Maximum number of buttons side by side; more choices become a list. */
export const MANY = 12;

export interface Choices {
  readonly kind: string;
  readonly actions: readonly Fields[];
  /** The fields to show: those that are not chosen on a drawing. */
  readonly names: readonly string[];
  readonly shape: Shape | null;
  readonly notes: Notes;
  readonly looks: Looks;
}

interface ChooserProps extends Choices {
  readonly choices: View;
  readonly isOpen: boolean;
  readonly onChoose: (choices: View) => void;
  readonly onPlay: (action: View) => void;
}

/** One field after another; each offers what is legal with the earlier choices. */
export function Chooser({
  kind,
  actions,
  names,
  shape,
  notes,
  looks,
  choices,
  isOpen,
  onChoose,
  onPlay,
}: ChooserProps) {
  const chosen = stillOpen(actions, names, choices);
  const fitting = (until: number) =>
    actions.filter((action) =>
      names.slice(0, until).every((name) => !(name in chosen) || same(action[name] ?? null, chosen[name] ?? null)),
    );
  const rest = fitting(names.length);
  const action = rest.length === 1 ? rest[0] : undefined;
  const picked = action ? fieldTexts(onlyFields(action, names), shape, looks).join(", ") : "";
  return (
    <form
      class="chooser"
      onSubmit={(event) => {
        event.preventDefault();
        if (isOpen && action) onPlay(action);
      }}
    >
      <b>{capital(spaced(kind))}</b>
      {names.map((name, index) => (
        <Field
          key={name}
          name={name}
          values={Map.groupBy(fitting(index), (each) => JSON.stringify(each[name] ?? null))}
          value={name in chosen ? JSON.stringify(chosen[name]) : ""}
          shape={actions[0] ? fieldShape(actions[0], shape, name) : null}
          notes={notes}
          looks={looks}
          isOpen={isOpen}
          onChoose={(value) => onChoose(choose(chosen, names, index, value))}
        />
      ))}
      <OrderButton kind="main" isLegal={isOpen && action !== undefined}>
        {capital([spaced(kind), picked].filter(Boolean).join(": "))}
        <Note text={action ? noteText(notes, action) : ""} />
      </OrderButton>
      {Object.keys(chosen).length > 0 && <Undo onUndo={() => onChoose(null)} />}
    </form>
  );
}

export function onlyFields(action: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, action[name] ?? null]));
}

/** The cost or gain of a choice. */
export function Note({ text }: { readonly text: string }) {
  return text ? <span class="cost">{text}</span> : null;
}

interface FieldProps {
  readonly name: string;
  /** The actions that each value, as JSON, leaves. */
  readonly values: ReadonlyMap<string, readonly Fields[]>;
  /** The chosen value, as JSON; empty if none is. */
  readonly value: string;
  readonly shape: Shape | null;
  readonly notes: Notes;
  readonly looks: Looks;
  readonly isOpen: boolean;
  readonly onChoose: (value: string) => void;
}

function Field(props: FieldProps) {
  return props.values.size <= MANY ? <Buttons {...props} /> : <List {...props} />;
}

function Buttons({ name, values, value, shape, notes, looks, isOpen, onChoose }: FieldProps) {
  return (
    <div class="field" role="group" aria-label={labelOf(name, shape)}>
      <span class="name" aria-hidden="true">
        {labelOf(name, shape)}
      </span>
      <div class="row">
        {[...values].map(([each, actions]) => (
          <button
            key={each}
            type="button"
            class="button small"
            aria-disabled={!isOpen}
            aria-pressed={each === value || values.size === 1}
            data-legal={legalIf(isOpen && value === "" && values.size > 1)}
            onClick={() => isOpen && onChoose(each)}
          >
            <Value view={JSON.parse(each) as View} shape={shape} looks={looks} />
            <Note text={noteOf(name, actions, notes)} />
          </button>
        ))}
      </div>
    </div>
  );
}

function List({ name, values, value, shape, notes, looks, isOpen, onChoose }: FieldProps) {
  return (
    <label class="field">
      <span class="name">{labelOf(name, shape)}</span>
      <select
        class="select"
        data-legal={legalIf(isOpen && value === "")}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">choose…</option>
        {[...values].map(([each, actions]) => (
          <option key={each} value={each}>
            {[textOf(JSON.parse(each) as View, shape, looks), noteOf(name, actions, notes)].filter(Boolean).join(" · ")}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The price of one value of a field, and what the game says if the value completes an action. */
function noteOf(name: string, [only, ...others]: readonly Fields[], notes: Notes): string {
  if (!only) return "";
  const price = notes.price(onlyFields(only, [name]));
  return others.length ? price : [price, notes.told(only)].filter(Boolean).join(" · ");
}

/** Choose one field and drop the later choices, which may no longer fit. */
function choose(chosen: Fields, names: readonly string[], index: number, value: string): View {
  const kept = Object.entries(chosen).filter(([name]) => names.indexOf(name) < index);
  const name = names[index] ?? "";
  return Object.fromEntries(value === "" ? kept : [...kept, [name, JSON.parse(value) as View]]);
}
