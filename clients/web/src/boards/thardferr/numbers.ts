/** Numbers and names as people write them. */

const NUMBER = new Intl.NumberFormat("en");

export function count(value: number): string {
  return NUMBER.format(value);
}

export function signed(value: number): string {
  return value < 0 ? `−${count(-value)}` : `+${count(value)}`;
}

/** A unit's name as people write it: `Heavy Crossbowman`. */
export function spoken(unit: string): string {
  return unit.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}
