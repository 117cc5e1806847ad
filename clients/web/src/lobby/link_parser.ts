/** Parses typed or pasted links and codes. */

import { invitation, parseInvitation } from "warroom-client";
import { parseRoute, type Route } from "../routes";

/** Return the route of a code, or of a link to a room or replay; null if it is neither. */
export function routeTo(text: string): Route | null {
  const [before = "", hash] = text.trim().split("#");
  const route = hash === undefined ? { at: "room" as const, code: before.replace(/\?.*/, "") } : parseRoute(hash);
  if (!("code" in route)) return null;
  const found = parseInvitation(route.code);
  return found && { ...route, code: invitation(found.room, found.key) };
}
