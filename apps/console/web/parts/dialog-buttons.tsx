import type { ComponentChildren } from 'preact';
import { ProblemBox } from './problem.js';

interface DialogButtonsProps {
  onClose: () => void;
  /** The word on the button that changes nothing. */
  cancel?: string;
  error: Error | undefined;
  /** The button that does it. */
  children: ComponentChildren;
}

/** The end of a dialog: what went wrong, and the buttons. */
export function DialogButtons({ onClose, cancel = 'Cancel', error, children }: DialogButtonsProps) {
  return (
    <>
      {error && <ProblemBox error={error} />}
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {cancel}
        </button>
        {children}
      </div>
    </>
  );
}
