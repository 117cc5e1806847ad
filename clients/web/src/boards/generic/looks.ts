/** How the generic board shows the players: by name, colour and a short mark. */

import type { Seating } from "../board";

export interface Looks {
  /** "you", or the name of the player. */
  name(seat: number | null): string;
  colour(seat: number): string;
  /** One or two characters, different for each seat, because colour is never the only sign of anything. */
  mark(seat: number): string;
}

/** Return the marks of the seats: initials, with a number where several players have the same; else that of the seat. */
export function marksOf(seats: readonly Pick<Seating, "name">[]): readonly string[] {
  const initials = seats.map(({ name }) => [...name.trim()][0]?.toUpperCase() ?? "");
  const numbered = seats.map(({ name }, seat) => `${initials[seat]}${/\d$/.exec(name.trim())?.[0] ?? ""}`);
  return seats.map((_, seat) => {
    const isOwn = (marks: readonly string[]): boolean => marks.filter((mark) => mark === marks[seat]).length === 1;
    if (initials[seat] && isOwn(initials)) return initials[seat];
    if (initials[seat] && isOwn(numbered)) return numbered[seat] ?? "";
    return String(seat);
  });
}
