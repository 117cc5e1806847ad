/** A modal dialog: the browser's own, which keeps the focus inside and closes with Escape. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      {children}
    </dialog>
  );
}
