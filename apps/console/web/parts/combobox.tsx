import { useId, useState } from 'preact/hooks';

export interface Option {
  value: string;
  label: string;
  /** Tells it from others of its name. */
  detail?: string | undefined;
}

interface Props {
  label: string;
  /** Name of the chosen option; empty if none is. */
  chosen: string;
  /** The options for the text that `onSearch` was given; undefined while they are looked for. */
  options: readonly Option[] | undefined;
  /** Says that there are others, or why there are none. */
  note?: string | undefined;
  hint?: string | undefined;
  /** Says why the value is not valid. */
  fault?: string | undefined;
  onSearch: (text: string) => void;
  onChoose: (value: string) => void;
}

/** A choice among more options than a list can show: the text that is typed finds them. */
export function Combobox({ label, chosen, options, note, hint, fault, onSearch, onChoose }: Props) {
  const id = useId();
  // Undefined while nobody types: then the field shows what is chosen.
  const [text, setText] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const all = options ?? [];
  const current = Math.min(marked, all.length - 1);
  const search = (next: string) => {
    setText(next);
    setMarked(0);
    setOpen(true);
    onSearch(next);
  };
  const close = () => {
    setOpen(false);
    setText(undefined);
    onSearch('');
  };
  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    close();
    onChoose(option.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (isOpen && all.length > 0) setMarked((current + step + all.length) % all.length);
      setOpen(true);
    }
    if (event.key === 'Enter' && isOpen) {
      event.preventDefault(); // it would send the form
      choose(all[current]);
    }
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault(); // it would close the dialog
      event.stopPropagation();
      close();
    }
  };
  const isListed = isOpen && all.length > 0;
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="combobox long">
      <label>
        {label}
        <input
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isListed ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          aria-invalid={fault !== undefined}
          aria-describedby={describedBy || undefined}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          placeholder="Type a part of its name"
          value={text ?? chosen}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => setOpen(true)}
          onInput={(event) => search(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
      </label>
      <div class="choices-below" hidden={!isOpen}>
        <ul class="found" role="listbox" id={`${id}-list`} aria-label="Choices">
          {isOpen &&
            all.map((option, index) => (
              <li
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === current}
                onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
                onClick={() => choose(option)}
              >
                <bdi>{option.label}</bdi> <small dir="auto">{option.detail}</small>
              </li>
            ))}
        </ul>
        <p class="hint" role="status">
          {isOpen && (options === undefined ? 'Looking …' : (note ?? ''))}
        </p>
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}
