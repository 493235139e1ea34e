import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { FormWordsContext } from './form-words.js';

interface Props {
  label: ComponentChildren;
  value: string;
  onInput: (value: string) => void;
  /** The field was left after a change. */
  onLeave?: (() => void) | undefined;
  type?: 'text' | 'password' | 'search';
  isRequired?: boolean;
  autocomplete?: InputHTMLAttributes['autocomplete'];
  placeholder?: string | undefined;
  inputMode?: 'url' | 'numeric' | undefined;
  hint?: ComponentChildren;
  /** Says why the value is not valid. */
  fault?: string | undefined;
}

/** A line of text with its name, its hint and what is wrong with it. Lines that are pasted stay lines, as in the key of a certificate. */
export function Field({
  label,
  value,
  onInput,
  onLeave,
  type = 'text',
  isRequired = false,
  hint,
  fault,
  ...rest
}: Props) {
  const id = useId();
  const { secrets } = useContext(FormWordsContext);
  const [isShown, setShown] = useState(false);
  const isSecret = type === 'password';
  return (
    <div class={isSecret && secrets ? 'field secret' : 'field'}>
      <label>
        {label}
        <input
          {...rest}
          {...({ type: isSecret && isShown ? 'text' : type } as object)} // Preact has a type of attributes for each constant
          dir={isSecret ? undefined : 'auto'}
          spellcheck={false}
          required={isRequired}
          value={value}
          aria-describedby={`${id}-hint ${id}-fault`}
          aria-invalid={fault !== undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
          onChange={onLeave}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text').trim() ?? '';
            if (!text.includes('\n')) return;
            event.preventDefault(); // the browser would join the lines
            onInput(text);
          }}
        />
      </label>
      {isSecret && secrets && (
        <button type="button" class="small" onClick={() => setShown(!isShown)}>
          {isShown ? secrets.hide : secrets.show}
        </button>
      )}
      <Below id={id} hint={hint} fault={fault} />
    </div>
  );
}

/** Hint and fault of a field, to which its control refers by `<id>-hint` and `<id>-fault`. */
export function Below({ id, hint, fault }: { id: string } & Pick<Props, 'hint' | 'fault'>) {
  return (
    <>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="wrong" id={`${id}-fault`}>
        {fault}
      </p>
    </>
  );
}
