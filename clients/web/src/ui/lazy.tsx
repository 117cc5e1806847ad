/** Parts of the page that are fetched when they are first looked at. */

import type { ComponentChildren, ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

export interface Lazy<Props> {
  (props: Props): JSX.Element;
  /** Fetch it now, so that it is there when it is looked at; a failure is told then. */
  fetch(): void;
}

/** Stands in the place of what is being fetched, or cannot be. */
type Substitute = ComponentType<{ readonly isMissing: boolean }>;

/** Return a component that is fetched when it is first shown, and at once from then on. */
export function lazy<Props extends object>(load: Load<Props>, Instead: Substitute): Lazy<Props> {
  let Found: ComponentType<Props> | null = null;
  const fetch = (): Promise<void> =>
    load().then((module) => {
      Found = module.default;
    });
  function Shown(props: Props) {
    const [isMissing, setMissing] = useState(false);
    const [, draw] = useState(0);
    const isHere = Found !== null; // as it is drawn: it may have come by the time of the effect
    useEffect(() => {
      if (isHere) return undefined;
      let isWanted = true;
      fetch().then(
        () => isWanted && draw((count) => count + 1),
        () => isWanted && setMissing(true),
      );
      return () => {
        isWanted = false;
      };
    }, []);
    if (Found) return <Found {...props} />;
    return <Instead isMissing={isMissing} />;
  }
  return Object.assign(Shown, { fetch: () => void fetch().catch(() => undefined) });
}

/** Instead of a screen. */
export function NoScreen({ isMissing }: { readonly isMissing: boolean }) {
  return (
    <main class="screen stack" aria-busy={!isMissing}>
      {isMissing && <Missing />}
    </main>
  );
}

/** Instead of a part of one. */
export function NoPart({ isMissing }: { readonly isMissing: boolean }) {
  return isMissing ? <Missing /> : <div class="bone list-bone" aria-busy="true" />;
}

/** Instead of what opens above the page. */
export function NoDialog({ isMissing }: { readonly isMissing: boolean }) {
  return isMissing ? (
    <div class="notes">
      <Missing />
    </div>
  ) : null;
}

interface MissingProps {
  readonly what?: string;
  /** Why, if it was fetched and cannot be shown. */
  readonly why?: string;
  /** Another way out. */
  readonly children?: ComponentChildren;
}

/** The line is broken, or the server has a newer page, which has other files; or what was fetched has a bug. */
export function Missing({ what = "This part of the page", why, children }: MissingProps) {
  return (
    <div class="sheet pad stack tight" role="alert">
      <h2>{what + (why ? " is broken" : " could not be fetched")}</h2>
      <p>{why ?? "The line may be broken, or the server has been brought up to date since the page was loaded."}</p>
      <p class="row">
        <button type="button" class="button main" onClick={() => location.reload()}>
          Load again
        </button>
        {children}
      </p>
    </div>
  );
}
