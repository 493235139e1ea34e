import { useId } from 'preact/hooks';

interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Texts by value. A value that is not among them is shown as it is. */
  children: Readonly<Record<string, string>>;
  /** Says why the value is not valid. */
  fault?: string | undefined;
}

/** A choice of one of several values, and what is wrong with it. */
export function Select({ label, value, onChange, children, fault }: SelectProps) {
  const id = useId();
  return (
    <>
      <label>
        {label}
        <select
          value={value}
          aria-describedby={fault === undefined ? undefined : id}
          aria-invalid={fault !== undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {!Object.hasOwn(children, value) && <option value={value}>{value}</option>}
          {Object.entries(children).map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {fault !== undefined && (
        <p class="wrong" id={id}>
          {fault}
        </p>
      )}
    </>
  );
}
