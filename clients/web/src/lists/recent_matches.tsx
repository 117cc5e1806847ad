/** The latest finished matches, kept current while they are shown. */

import { useEffect, useRef, useState } from "preact/hooks";

import { MatchList } from "./match_list";
import { roomList } from "./rooms";

const SHOWN = 4;
/** Minimum time between two requests, however many matches end. */
const ANEW_MS = 3000;

export function RecentMatches() {
  return <MatchList game={null} player={null} most={SHOWN} version={useEndings()} />;
}

/** Return a number that changes soon after a match ends. */
function useEndings(): number {
  const [count, setCount] = useState(0);
  const before = useRef<readonly number[]>([]);
  const timer = useRef(0);
  const running = roomList.rooms.value?.filter((room) => room.phase === "playing").map(({ room }) => room) ?? [];
  const wait = (): void => {
    timer.current = window.setTimeout(() => {
      timer.current = 0;
      if (document.hidden) wait();
      else setCount((now) => now + 1);
    }, ANEW_MS);
  };
  useEffect(() => {
    const hasEnded = before.current.some((room) => !running.includes(room));
    before.current = running;
    if (hasEnded && !timer.current) wait();
  }, [running.join()]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return count;
}
