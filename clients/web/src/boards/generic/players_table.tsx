/** What a view has for each seat, as one table of the players. */

import { isMap, type View } from "warroom-client";
import { keysOf, type Shape, shapeAt } from "./field_order";
import { at, hintsIn, type Path } from "./hints";
import type { Looks } from "./looks";
import { labelOf, Player, Value } from "./values";

interface Column {
  readonly name: string;
  readonly label: string;
  readonly shape: Shape | null;
  readonly values: readonly View[];
  readonly before: readonly View[];
}

/** Return the paths of the lists that the table shows. */
export function listsBySeat(view: View, shape: Shape | null): readonly Path[] {
  return hintsIn(shape, ["x-by-seat"])
    .map(({ path }) => path)
    .filter((path) => Array.isArray(at(view, path)));
}

interface Props {
  readonly view: View;
  readonly before: View;
  readonly shape: Shape | null;
  readonly seats: number;
  readonly toAct: readonly number[];
  readonly looks: Looks;
}

export function PlayersTable({ view, before, shape, seats, toAct, looks }: Props) {
  const columns = hintsIn(shape, ["x-by-seat"]).flatMap((found) =>
    columnsOf(String(found.path.at(-1)), list(at(view, found.path)), list(at(before, found.path)), found.shape),
  );
  if (!columns.length) return null;
  return (
    <div class="players-table">
      <table>
        <thead>
          <tr>
            <th scope="col">player</th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: seats }, (_, seat) => (
            <tr key={seat} class={toAct.includes(seat) ? "turn" : ""}>
              <th scope="row">
                <Player seat={seat} looks={looks} />
                {toAct.includes(seat) && <span class="tiny quiet"> to move</span>}
              </th>
              {columns.map(({ name, shape: each, values, before: was }) => (
                <td key={name} class={was.length && was[seat] !== values[seat] ? "changed" : ""}>
                  <Value view={values[seat] ?? null} shape={each} looks={looks} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** One column for each field of the items, or one for the items themselves; none for an empty list. */
function columnsOf(name: string, values: readonly View[], before: readonly View[], shape: Shape): readonly Column[] {
  const [first] = values;
  const item = shapeAt(values, shape, "0");
  if (first === undefined) return [];
  if (!isMap(first)) return [{ name, label: labelOf(name, shape), shape: item, values, before }];
  return keysOf(first, item).map((key) => ({
    name: key,
    label: labelOf(key, shapeAt(first, item, key)),
    shape: shapeAt(first, item, key),
    values: values.map((each) => at(each, [key])),
    before: before.map((each) => at(each, [key])),
  }));
}

function list(view: View): readonly View[] {
  return Array.isArray(view) ? (view as readonly View[]) : [];
}
