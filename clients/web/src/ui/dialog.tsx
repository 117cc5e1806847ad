/** A modal dialog: the browser's own, which keeps the focus inside and closes with Escape. */

import "./dialog.css";

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

interface DecideProps {
  /** The label of the submit button. */
  readonly verb: string;
  readonly isBusy?: boolean;
  readonly onCancel: () => void;
}

/** The last row of a dialog form: submit or cancel. */
export function Decide({ verb, isBusy = false, onCancel }: DecideProps) {
  return (
    <div class="row decide">
      <button type="submit" class="button main" disabled={isBusy}>
        {verb}
      </button>
      <button type="button" class="button plain" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

export function Dialog({ title, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const isFromOutside = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close(); // returns the focus
  }, []);
  const isOutside = (event: Event): boolean => event.target === element.current;
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-label={title}
      onClose={onClose}
      onPointerDown={(event) => {
        isFromOutside.current = isOutside(event);
      }}
      onClick={(event) => isFromOutside.current && isOutside(event) && onClose()}
    >
      {children}
    </dialog>
  );
}
