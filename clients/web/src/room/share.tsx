/** The code and link of the room. */

import type { Room } from "warroom-client";
import { href } from "../routes";
import { CopyLink } from "../ui/copy_link";

export function Share({ room }: { readonly room: Room }) {
  const link = `${location.origin}/${href({ at: "room", code: room.invitation })}`;
  return (
    <section class="sheet pad stack tight" aria-label="Invite others">
      <h2>Invite others</h2>
      <p>
        Code <code class="big-code">{room.invitation}</code>
      </p>
      <CopyLink link={link} label="Link to this room" />
    </section>
  );
}
