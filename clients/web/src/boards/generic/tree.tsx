/** Shows any view as a tree, with short branches on one line and recent changes marked. */

import { isMap, type View } from "warroom-client";
import { same } from "./draft_fields";
import { keysOf, type Shape, shapeAt } from "./field_order";
import type { Looks } from "./looks";
import { labelOf, textOf, Value } from "./values";

const SHORT = 60;

interface Props {
  readonly title: string;
  readonly view: View;
  readonly before: View;
  /** The shape of the view, if known. */
  readonly shape: Shape | null;
  readonly looks: Looks;
}

export function Tree({ title, ...branches }: Props) {
  return (
    <section class="tree" aria-label={title}>
      <h2>{title}</h2>
      <Branches {...branches} />
    </section>
  );
}

type BranchesProps = Pick<Props, "view" | "shape" | "looks"> & { readonly before: View | undefined };

function Branches({ view, before, shape, looks }: BranchesProps) {
  const pairs = pairsOf(view, shape);
  if (!pairs) return <Value view={view} shape={shape} looks={looks} />;
  return (
    <dl>
      {pairs.map(([key, value]) => {
        const was = childOf(before, key);
        const isChanged = before !== null && before !== undefined && was !== value && !same(was ?? null, value);
        const inner = shapeAt(view, shape, key);
        const isShort = !pairsOf(value, inner) || textOf(value, inner, looks).length <= SHORT;
        return (
          <div key={key} class={isChanged && isShort ? "branch changed" : "branch"}>
            <dt>{labelOf(key, inner)}</dt>
            <dd>
              {isShort ? (
                <Value view={value} shape={inner} looks={looks} />
              ) : (
                <Branches view={value} before={was} shape={inner} looks={looks} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function pairsOf(view: View, shape: Shape | null): readonly (readonly [string, View])[] | null {
  if (Array.isArray(view)) return view.map((item, index): [string, View] => [String(index), item]);
  return isMap(view) ? keysOf(view, shape).map((key): [string, View] => [key, view[key] ?? null]) : null;
}

function childOf(view: View | undefined, key: string): View | undefined {
  if (Array.isArray(view)) return view[Number(key)];
  return isMap(view) ? view[key] : undefined;
}
