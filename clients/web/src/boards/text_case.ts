/** Formats identifiers as words. */

/** The end of a match that no victory rule ended, as in `warroom_protocol/results.py`. */
export const LENGTH_LIMIT = "Length limit reached";

export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
