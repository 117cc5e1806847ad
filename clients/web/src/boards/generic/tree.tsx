/** Any view as a tree: short branches on one line, what just changed marked. */

import type { View } from "../../generated/messages";
import { isMap, spaced, valueInWords } from "../words";

const SHORT = 60;

interface Props {
  readonly title: string;
  readonly view: View;
  readonly before: View;
}

export function Tree({ title, view, before }: Props) {
  return (
    <section class="tree" aria-label={title}>
      <h2>{title}</h2>
      <Branches view={view} before={before} />
    </section>
  );
}

function Branches({ view, before }: { readonly view: View; readonly before: View | undefined }) {
  const pairs = pairsOf(view);
  if (!pairs) return <span>{valueInWords(view)}</span>;
  return (
    <dl>
      {pairs.map(([key, value]) => {
        const was = childOf(before, key);
        const isChanged = before !== null && before !== undefined && was !== value;
        const text = valueInWords(value);
        const isShort = !pairsOf(value) || text.length <= SHORT;
        return (
          <div key={key} class={isChanged && isShort ? "branch changed" : "branch"}>
            <dt>{spaced(key)}</dt>
            <dd>{isShort ? text : <Branches view={value} before={was} />}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function pairsOf(view: View): readonly (readonly [string, View])[] | null {
  if (Array.isArray(view)) return view.map((item, index): [string, View] => [String(index), item]);
  return isMap(view) ? Object.entries(view) : null;
}

function childOf(view: View | undefined, key: string): View | undefined {
  if (Array.isArray(view)) return view[Number(key)];
  return isMap(view) ? view[key] : undefined;
}
