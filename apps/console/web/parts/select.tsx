interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Texts by value. A value that is not among them is shown as it is. */
  children: Readonly<Record<string, string>>;
}

/** A choice of one of several values. */
export function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {!Object.hasOwn(children, value) && <option value={value}>{value}</option>}
        {Object.entries(children).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
