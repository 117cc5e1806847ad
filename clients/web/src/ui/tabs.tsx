/** A row of tabs, selected with the mouse or the arrow keys. */

import type { ComponentChildren } from "preact";

interface Props<Name extends string> {
  readonly label: string;
  /** The tabs and their labels. */
  readonly tabs: readonly (readonly [Name, ComponentChildren])[];
  readonly chosen: Name;
  /** The id of the panel. */
  readonly panel: string;
  readonly onChoose: (name: Name) => void;
  readonly kind?: string;
}

export function Tabs<Name extends string>({ label, tabs, chosen, panel, onChoose, kind = "" }: Props<Name>) {
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (tabs.findIndex(([name]) => name === chosen) + step + tabs.length) % tabs.length;
    onChoose(tabs[next]?.[0] ?? chosen);
    (event.currentTarget as HTMLElement).querySelectorAll("button")[next]?.focus();
  };
  return (
    <div class={`tabs ${kind}`} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([name, title]) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={chosen === name}
          aria-controls={panel}
          tabindex={chosen === name ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
