/** Components that change with time alone. */

import { useEffect, useState } from "preact/hooks";

/** Render a component every second, or at the given interval. */
export function useTicking(everyMs = 1000): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, []);
}
