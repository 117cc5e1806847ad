/** Observable values. A page passes the signals of its framework, so that its screens follow rooms by themselves. */

/** A value that may be observed: reading `value` subscribes the reader, `peek` does not. */
export interface Cell<Value> {
  value: Value;
  peek(): Value;
}

/** What makes cells, such as `{ cell: signal, batch }` with the functions of `@preact/signals`. */
export interface Cells {
  cell<Value>(value: Value): Cell<Value>;
  /** Run *change*, and notify readers once. */
  batch(change: () => void): void;
}

class PlainCell<Value> implements Cell<Value> {
  constructor(public value: Value) {}

  peek(): Value {
    return this.value;
  }
}

/** Cells that nobody observes. */
export const PLAIN_CELLS: Cells = {
  cell: (value) => new PlainCell(value),
  batch: (change) => change(),
};
