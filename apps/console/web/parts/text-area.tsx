import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Below } from './field.js';
import { bytes } from './numbers.js';

interface Props {
  label: ComponentChildren;
  value: string;
  onInput: (value: string) => void;
  onLeave?: (() => void) | undefined;
  isRequired?: boolean;
  hint?: ComponentChildren;
  note?: string;
  fault?: string | undefined;
  rows?: number;
  /** Texts beyond this number of characters are not taken from the clipboard: the browser would stop the page to lay them out. */
  maxPasted?: number;
}

/** Several lines of text, with name, hint and fault. */
export function TextArea(props: Props) {
  const { label, value, onInput, onLeave, isRequired = false, hint, note, rows = 4 } = props;
  const { maxPasted = Infinity } = props;
  const id = useId();
  const [refused, setRefused] = useState<string>();
  const fault = props.fault ?? refused;
  const refuse = (event: Event, from: DataTransfer | null) => {
    const { length } = from?.getData('text') ?? '';
    setRefused(undefined);
    if (length <= maxPasted) return;
    event.preventDefault();
    setRefused(
      `That text has ${bytes(length)}, and this field takes ${bytes(maxPasted)}. Nothing was changed.`,
    );
  };
  return (
    <div class="field">
      <label>
        {label}
        <textarea
          dir="auto"
          spellcheck={false}
          required={isRequired}
          rows={rows}
          value={value}
          aria-describedby={`${id}-hint ${id}-fault`}
          aria-invalid={fault !== undefined}
          onInput={(event) => {
            setRefused(undefined);
            onInput(event.currentTarget.value);
          }}
          onChange={onLeave}
          onPaste={(event) => refuse(event, event.clipboardData)}
          onDrop={(event) => refuse(event, event.dataTransfer)}
        />
      </label>
      <Below id={id} hint={hint && note ? [hint, ' ', note] : (hint ?? note)} fault={fault} />
    </div>
  );
}
