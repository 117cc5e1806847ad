/** The form of an unlisted action; it is part of the draft, so steps and reloads keep it. */

import { useId } from "preact/hooks";

import { isMap, type View } from "warroom-client";
import { SchemaField } from "../../ui/fields";
import type { ActionKind } from "../../ui/schema";
import { OrderButton } from "../orders";
import { spaced } from "../text_case";
import { draftField, type Fields, FORM, type Props, withDraftField } from "./draft_fields";

type FormDraft = { readonly type: string; readonly values: Fields };

export function isForm(draft: View): draft is FormDraft {
  return isMap(draft) && typeof draft.type === "string" && isMap(draft.values);
}

type OtherProps = Props & { readonly kinds: readonly ActionKind[] };

export function OtherAction({ kinds, isOpen, play, draft, setDraft }: OtherProps) {
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
