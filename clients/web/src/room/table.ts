/** The table of a match, as its board sees it. */

import type { View } from "warroom-client";
import type { Seating, Table } from "../boards/board";

const SEAT_COLOURS = 6;
/** Maximum number of log lines shown. */
export const LONGEST_LOG = 400;

/** The page's own colour of a seat. */
export function seatColour(seat: number): string {
  return `var(--seat-${seat % SEAT_COLOURS})`;
}

export function makeTable(
  game: string,
  options: { readonly [key: string]: View },
  seats: readonly Seating[],
  seat: number | null,
  isOver: boolean,
): Table {
  const name = (number: number | null | undefined): string => {
    const found = seats.find((each) => each.seat === number);
    if (found?.isYou) return "you";
    return found?.name || (number === null || number === undefined ? "nobody" : `seat ${number}`);
  };
  return { game, options, seats, seat, isOver, name };
}
