import type { ComponentChildren } from 'preact';

interface CheckBoxesProps<Value extends string> {
  /** Values with their texts. */
  choices: Iterable<readonly [Value, ComponentChildren]>;
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}

/** A checkbox for each of some values, of which several may be chosen. */
export function CheckBoxes<Value extends string>({
  choices,
  chosen,
  onChange,
}: CheckBoxesProps<Value>) {
  return (
    <>
      {[...choices].map(([value, text]) => (
        <label class="check" key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          {text}
        </label>
      ))}
    </>
  );
}
