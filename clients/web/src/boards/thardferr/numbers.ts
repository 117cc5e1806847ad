/** Formats numbers and names. */

const NUMBER = new Intl.NumberFormat("en");

export function count(value: number): string {
  return NUMBER.format(value);
}

export function signed(value: number): string {
  return value < 0 ? `−${count(-value)}` : `+${count(value)}`;
}

/** Format a unit's name: `Heavy Crossbowman`. */
export function spoken(unit: string): string {
  return unit.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}
