/**
 * A board from the package of a game: a plain ES module that is independent of the page's build.
 *
 * It exports `mount(element, host)`, which draws into the element and returns `{ update(host), unmount() }`. The host
 * has the props of every board (`BoardProps`). It may also export `tell`, `remember`, `duration`, `toAct`, `out`, `colour`
 * and `keyMoment`.
 */

import { useEffect, useRef } from "preact/hooks";

import type { BoardModule, BoardProps } from "./board";
import { eventSentences } from "./event_sentences";
import { eventText } from "./plain_text";

interface Mounted {
  update(host: BoardProps): void;
  unmount?(): void;
}

export interface PackagedBoard
  extends Partial<Pick<BoardModule, "tell" | "remember" | "duration" | "toAct" | "out" | "colour" | "keyMoment">> {
  mount(element: HTMLElement, host: BoardProps): Mounted;
}

/** Return the module as a board of the page. */
export function toBoardModule(packaged: PackagedBoard): BoardModule {
  function Board(props: BoardProps) {
    const element = useRef<HTMLDivElement>(null);
    const mounted = useRef<Mounted | null>(null);
    useEffect(() => {
      if (element.current) mounted.current = packaged.mount(element.current, props);
      return () => mounted.current?.unmount?.();
    }, []);
    useEffect(() => mounted.current?.update(props));
    return <div ref={element} />;
  }
  const { remember, toAct, out, colour, keyMoment } = packaged;
  return {
    Board,
    tell: packaged.tell ?? eventText,
    ...(!packaged.tell && { tellAll: eventSentences }),
    duration: packaged.duration ?? (() => 0),
    ...(remember && { remember }),
    ...(toAct && { toAct }),
    ...(out && { out }),
    ...(colour && { colour }),
    ...(keyMoment && { keyMoment }),
  };
}
