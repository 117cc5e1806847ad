/** A JSON value as a tree, with what changed since another value. */

import type { ComponentChildren } from "preact";

import type { View } from "warroom-client";

/** Shorter values stay on one line. */
const ONE_LINE = 64;

interface Props {
  readonly value: View;
  /** The value before; undefined: there was none. */
  readonly before: View | undefined;
}

/** Without *isCompared*, nothing is marked. */
export function JsonTree({ value, before, isCompared }: Props & { readonly isCompared: boolean }) {
  return (
    <div class="json-tree">
      {isBranch(value) ? (
        <Children value={value} before={isCompared ? before : value} depth={0} />
      ) : (
        <Leaf name={null} value={value} before={isCompared ? before : value} />
      )}
    </div>
  );
}

type Branch = readonly View[] | { readonly [key: string]: View };

function Children({ value, before, depth }: { value: Branch; before: View | undefined; depth: number }) {
  const now = entriesOf(value);
  const old = new Map(before !== undefined && isBranch(before) ? entriesOf(before) : []);
  const gone = [...old].filter(([key]) => !now.some(([other]) => other === key));
  const isFlat = Array.isArray(value) && now.every(([, item]) => isShort(item));
  return (
    <ul class={isFlat ? "flat" : undefined}>
      {now.map(([key, item]) => (
        <li key={key}>
          <Node name={key} value={item} before={old.get(key)} depth={depth} />
        </li>
      ))}
      {gone.map(([key, item]) => (
        <li key={`-${key}`}>
          <Name name={key} />
          <del>{JSON.stringify(item)}</del>
        </li>
      ))}
    </ul>
  );
}

function Node({ name, value, before, depth }: Props & { readonly name: string; readonly depth: number }) {
  if (!isBranch(value) || isShort(value)) return <Leaf name={name} value={value} before={before} />;
  const isChanged = !isSame(value, before);
  const count = entriesOf(value).length;
  return (
    <details open={depth === 0 || isChanged} class={isChanged ? "changed" : ""}>
      <summary>
        <Name name={name} />
        <span class="quiet">{Array.isArray(value) ? `[${count}]` : `{${count}}`}</span>
        {isChanged && <span class="tag hot">changed</span>}
      </summary>
      <Children value={value} before={before} depth={depth + 1} />
    </details>
  );
}

function Leaf({ name, value, before }: Props & { readonly name: string | null }) {
  const text = JSON.stringify(value);
  let shown: ComponentChildren = <span>{text}</span>;
  if (!isSame(value, before)) {
    const old = before === undefined ? "" : JSON.stringify(before);
    shown = (
      <>
        {old && old.length <= ONE_LINE && <del>{old}</del>} <ins>{text}</ins>
      </>
    );
  }
  return (
    <div class="leaf">
      {name !== null && <Name name={name} />}
      {shown}
    </div>
  );
}

function Name({ name }: { readonly name: string }) {
  return <span class="key">{name}: </span>;
}

function isBranch(view: View): view is Branch {
  return view !== null && typeof view === "object";
}

/** Whether it fits on one line. */
function isShort(view: View): boolean {
  return !isBranch(view) || JSON.stringify(view).length <= ONE_LINE;
}

function entriesOf(view: Branch): [string, View][] {
  return Object.entries(view as { readonly [key: string]: View });
}

/** Whether two values are equal, key by key. */
export function isSame(one: View | undefined, other: View | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || !isBranch(one) || !isBranch(other)) return false;
  const [mine, theirs] = [entriesOf(one), new Map(entriesOf(other))];
  const isAlike = Array.isArray(one) === Array.isArray(other) && mine.length === theirs.size;
  return isAlike && mine.every(([key, value]) => theirs.has(key) && isSame(value, theirs.get(key)));
}
