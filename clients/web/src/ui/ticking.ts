/** What changes with the time alone. */

import { useEffect, useState } from "preact/hooks";

/** Draw a component anew every second, or as often as it is told. */
export function useTicking(everyMs = 1000): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, []);
}
