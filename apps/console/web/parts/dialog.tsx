import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  title: string;
  /** Without it, the dialog cannot be closed by Escape: its content decides when it ends. */
  onClose?: () => void;
  children: ComponentChildren;
}

/** Modal dialog over the page. The browser keeps the focus in it, and gives it back when the dialog is removed. */
export function Dialog({ title, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => {
        // Chromium closes a dialog at the second Escape even if `cancel` was prevented.
        if (event.key === 'Escape' && !onClose) event.preventDefault();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
