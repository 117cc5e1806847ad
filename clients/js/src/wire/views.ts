/** Views, as they come over the wire. */

import type { View } from "../generated/messages.js";

export function isMap(view: View | undefined): view is { readonly [key: string]: View } {
  return view !== null && typeof view === "object" && !Array.isArray(view);
}
