/** The log as text. */

import { type ComponentChildren, Fragment } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { View } from "warroom-client";
import type { BoardModule, Table } from "../boards/board";
import { safely } from "../ui/error_boundary";
import type { Line } from "./match";

const NEAR_PX = 48;

/** A line with its text. */
export interface LogEntry {
  readonly line: Line;
  readonly texts: readonly ComponentChildren[];
}

export function Log({ lines }: { readonly lines: readonly LogEntry[] }) {
  let turn = 0;
  return (
    <Scroller label="Log" last={lines.at(-1)?.line.id}>
      {lines.length === 0 && <p class="quiet">No events yet.</p>}
      {lines.map(({ line, texts }) => {
        if (line.kind === "remark") {
          return (
            <div key={line.id} class="remark">
              {texts}
            </div>
          );
        }
        const isNew = line.turn !== turn;
        turn = line.turn;
        return (
          <Fragment key={line.id}>
            {isNew && <div class="turn number">Turn {line.turn}</div>}
            {texts.map((text, index) => (
              <div key={index}>{text}</div>
            ))}
          </Fragment>
        );
      })}
    </Scroller>
  );
}

/** Return the lines that have text. */
export function told(lines: readonly Line[], board: BoardModule | null, table: Table): readonly LogEntry[] {
  return lines
    .map((line) => ({ line, texts: line.kind === "remark" ? [line.text] : tellStep(board, line.events, table) }))
    .filter(({ texts }) => texts.length > 0);
}

function tellStep(board: BoardModule | null, events: readonly View[], table: Table): readonly string[] {
  const tell = () => board?.tellAll?.(events, table) ?? events.flatMap((event) => board?.tell(event, table) ?? []);
  return safely(tell, ["(an event that could not be shown)"]);
}

/** Scrolls to the end while the user reads there, and stays put while they read further up. */
export function Scroller({
  label,
  last,
  children,
}: {
  readonly label: string;
  /** The id of the last entry. */
  readonly last: number | undefined;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const box = element.current;
    if (box && isAtEnd.current) box.scrollTop = box.scrollHeight;
  }, [last]);
  return (
    <div
      ref={element}
      class="log"
      role="log"
      aria-label={label}
      tabindex={0}
      onScroll={(event) => {
        const box = event.currentTarget;
        isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      }}
    >
      {children}
    </div>
  );
}
