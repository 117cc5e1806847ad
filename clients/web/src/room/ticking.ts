/** What is counted in seconds. */

import { useEffect, useState } from "preact/hooks";

/** Draw a component anew every second. */
export function useTicking(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}
