/** Contains errors of boards, which may be third-party code. */

import { Component, type ComponentChildren } from "preact";

interface Props {
  /** Shown if the content fails. */
  readonly instead: ComponentChildren;
  readonly children: ComponentChildren;
}

export class ErrorBoundary extends Component<Props, { readonly isBroken?: boolean }> {
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ isBroken: true });
  }

  override render({ instead, children }: Props) {
    return this.state.isBroken ? instead : children;
  }
}

/** Return the result of *ask*, or *otherwise* if it throws. */
export function safely<Result>(ask: () => Result, otherwise: Result): Result {
  try {
    return ask();
  } catch (error) {
    console.error(error);
    return otherwise;
  }
}
