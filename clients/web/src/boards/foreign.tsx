/**
 * A board that the package of a game ships: a plain ES module that knows nothing of how this page is built.
 *
 * It exports `mount(element, host)`, which draws into the element and returns `{ update(host), unmount() }`. The host is
 * what every board gets (`BoardProps`). It may also export `tell`, `hear`, `duration`, `toAct`, `out`, `colour` and
 * `turningPoint`.
 */

import { useEffect, useRef } from "preact/hooks";

import type { BoardModule, BoardProps } from "./board";
import { inSentences } from "./in_sentences";
import { eventInWords } from "./in_words";

interface Mounted {
  update(host: BoardProps): void;
  unmount?(): void;
}

export interface ForeignModule
  extends Partial<Pick<BoardModule, "tell" | "hear" | "duration" | "toAct" | "out" | "colour" | "turningPoint">> {
  mount(element: HTMLElement, host: BoardProps): Mounted;
}

/** Return the module as a board of this page. */
export function adopt(foreign: ForeignModule): BoardModule {
  function Board(props: BoardProps) {
    const element = useRef<HTMLDivElement>(null);
    const mounted = useRef<Mounted | null>(null);
    useEffect(() => {
      if (element.current) mounted.current = foreign.mount(element.current, props);
      return () => mounted.current?.unmount?.();
    }, []);
    useEffect(() => mounted.current?.update(props));
    return <div ref={element} />;
  }
  const { hear, toAct, out, colour, turningPoint } = foreign;
  return {
    Board,
    tell: foreign.tell ?? eventInWords,
    ...(!foreign.tell && { tellAll: inSentences }),
    duration: foreign.duration ?? (() => 0),
    ...(hear && { hear }),
    ...(toAct && { toAct }),
    ...(out && { out }),
    ...(colour && { colour }),
    ...(turningPoint && { turningPoint }),
  };
}
