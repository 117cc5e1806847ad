/** Room codes: numbers in Crockford's base 32, and invitations to private rooms. */

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 7;

/** A room as people name it: its number, and the key of a private one. */
export interface Invitation {
  readonly room: number;
  readonly key: string | null;
}

/** Return the code of a room. */
export function roomCode(room: number): string {
  let rest = room;
  let code = "";
  for (let place = 0; place < LENGTH; place++) {
    code = DIGITS.charAt(rest % 32) + code;
    rest = Math.floor(rest / 32);
  }
  return code;
}

/** Return the code or invitation that brings others into the room. */
export function invitation(room: number, key: string | null): string {
  return key === null ? roomCode(room) : `${roomCode(room)}-${key}`;
}

/** Parse a code, an invitation, or a link that ends in one; null if it is none. */
export function parseInvitation(text: string): Invitation | null {
  const tail = text.trim().split(/[/#]/).at(-1) ?? "";
  const [code = "", key] = tail.toLowerCase().split("-", 2);
  const digits = code.replace(/[il]/g, "1").replace(/o/g, "0");
  if (digits.length !== LENGTH) return null;
  let room = 0;
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return null;
    room = room * 32 + value;
  }
  return room < 2 ** 32 ? { room, key: key || null } : null;
}
