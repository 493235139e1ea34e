import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Below } from './field.js';
import { bytes } from './numbers.js';

export interface TextAreaProps {
  label: ComponentChildren;
  value: string;
  onInput: (value: string) => void;
  onLeave?: (() => void) | undefined;
  isRequired?: boolean;
  hint?: string | undefined;
  note?: string;
  fault?: string | undefined;
  rows?: number;
  /** Texts beyond this number of characters are not taken from the clipboard: the browser would stop the page to lay them out. */
  maxPasted?: number;
  /** Whether long lines go on at the right instead of below. */
  isCode?: boolean;
  /** Ids of a list of what may stand at the cursor, and of its marked entry while it is open. */
  list?: { id: string; marked?: string };
}

/** Several lines of text, with name, hint and fault. */
export function TextArea(props: TextAreaProps) {
  const { label, value, onInput, onLeave, isRequired = false, hint, note, rows = 4 } = props;
  const { maxPasted = Infinity, isCode = false, list } = props;
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
          wrap={isCode ? 'off' : 'soft'}
          value={value}
          aria-describedby={`${id}-hint ${id}-fault`}
          aria-invalid={fault !== undefined}
          aria-autocomplete={list && 'list'}
          aria-controls={list?.marked && list.id}
          aria-activedescendant={list?.marked}
          onInput={(event) => {
            setRefused(undefined);
            onInput(event.currentTarget.value);
          }}
          onChange={onLeave}
          onPaste={(event) => refuse(event, event.clipboardData)}
          onDrop={(event) => refuse(event, event.dataTransfer)}
        />
      </label>
      <Below id={id} hint={[hint, note].filter(Boolean).join(' ')} fault={fault} />
    </div>
  );
}
