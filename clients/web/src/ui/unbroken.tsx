/** What keeps the page whole where something of a board breaks, which may come from anywhere. */

import { Component, type ComponentChildren } from "preact";

interface Props {
  /** What to show if what is inside breaks. */
  readonly instead: ComponentChildren;
  readonly children: ComponentChildren;
}

export class Unbroken extends Component<Props, { readonly isBroken?: boolean }> {
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ isBroken: true });
  }

  override render({ instead, children }: Props) {
    return this.state.isBroken ? instead : children;
  }
}

/** Return what *ask* does, or if it breaks, *otherwise*. */
export function safely<Result>(ask: () => Result, otherwise: Result): Result {
  try {
    return ask();
  } catch (error) {
    console.error(error);
    return otherwise;
  }
}
