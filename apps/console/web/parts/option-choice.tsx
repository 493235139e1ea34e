import { useState } from 'preact/hooks';
import { Combobox, type Option } from './combobox.js';

interface Props {
  label: string;
  chosen: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}

/** Chooses among known options that are too many to look through, by words of their name or detail. */
export function OptionChoice({ label, chosen, options, onChoose }: Props) {
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = options.filter(({ label: name, detail = '' }) =>
    words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)),
  );
  return (
    <Combobox
      label={label}
      chosen={options.find(({ value }) => value === chosen)?.label ?? chosen}
      options={found}
      note={found.length === 0 ? 'None has these words.' : undefined}
      onSearch={setText}
      onChoose={onChoose}
    />
  );
}
