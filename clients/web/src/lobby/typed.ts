/** Where something leads that somebody has typed or pasted. */

import { parseRoute, type Route } from "../routes";
import { invitation, parseInvitation } from "../wire/codes";

/** Return where a code leads, or a link to a room or a replay, whatever follows in it; null if it leads to none. */
export function routeTo(text: string): Route | null {
  const [before = "", hash] = text.trim().split("#");
  const route = hash === undefined ? { at: "room" as const, code: before.replace(/\?.*/, "") } : parseRoute(hash);
  if (!("code" in route)) return null;
  const found = parseInvitation(route.code);
  return found && { ...route, code: invitation(found.room, found.key) };
}
