/** Parts of the page that load on first use. */

import type { ComponentChildren, ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

export interface Lazy<Props> {
  (props: Props): JSX.Element;
  /** Load it now, so that it is ready later; errors show on use. */
  fetch(): void;
}

/** Shown while a part loads or fails. */
type Substitute = ComponentType<{ readonly isMissing: boolean }>;

/** Return a component that loads when it is first shown. */
export function lazy<Props extends object>(load: Load<Props>, Instead: Substitute): Lazy<Props> {
  let Found: ComponentType<Props> | null = null;
  const fetch = (): Promise<void> =>
    load().then((module) => {
      Found = module.default;
    });
  function Shown(props: Props) {
    const [isMissing, setMissing] = useState(false);
    const [, draw] = useState(0);
    const isHere = Found !== null; // checked while rendering: it may have loaded before the effect runs
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

/** In place of a screen. */
export function NoScreen({ isMissing }: { readonly isMissing: boolean }) {
  return (
    <main class="screen stack" aria-busy={!isMissing}>
      {isMissing && <Missing />}
    </main>
  );
}

/** In place of a part of a screen. */
export function NoPart({ isMissing }: { readonly isMissing: boolean }) {
  return isMissing ? <Missing /> : <div class="bone list-bone" aria-busy="true" />;
}

/** In place of a dialog. */
export function NoDialog({ isMissing }: { readonly isMissing: boolean }) {
  return isMissing ? (
    <div class="notes">
      <Missing />
    </div>
  ) : null;
}

interface MissingProps {
  readonly what?: string;
  /** Why, if it loaded but cannot be shown. */
  readonly why?: string;
  /** Another way out. */
  readonly children?: ComponentChildren;
}

/** The connection is down, the server has a newer page with other files, or the loaded part has a bug. */
export function Missing({ what = "This part of the page", why, children }: MissingProps) {
  return (
    <div class="sheet pad stack tight" role="alert">
      <h2>{what + (why ? " stopped working" : " could not be loaded")}</h2>
      <p>{why ?? "The connection may be down, or the server was updated since you opened the page."}</p>
      <p class="row">
        <button type="button" class="button main" onClick={() => location.reload()}>
          Reload
        </button>
        {children}
      </p>
    </div>
  );
}
