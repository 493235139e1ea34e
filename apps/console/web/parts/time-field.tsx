import { isUtc } from './time.js';

interface TimeProps {
  label: string;
  /** As the API has it, so that a link means the same time elsewhere. */
  value: string;
  onChange: (value: string) => void;
}

/** A date and time, in the zone that the person has chosen. */
export function TimeField({ label, value, onChange }: TimeProps) {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={typed(value)}
        onChange={({ currentTarget: { value: text } }) =>
          onChange(text === '' ? '' : new Date(isUtc.value ? `${text}Z` : text).toISOString())
        }
      />
    </label>
  );
}

/** A time as the field has it: without its zone, in the one that the person has chosen. */
function typed(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const offsetMs = isUtc.value ? 0 : at.getTimezoneOffset() * 60_000;
  return new Date(at.getTime() - offsetMs).toISOString().slice(0, 16);
}
