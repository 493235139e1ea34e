import { Field } from './field.js';

export interface Names {
  name: string;
  fullname: string;
}

interface Props {
  names: Names;
  onChange: (names: Names) => void;
  /** Says who uses the name. */
  hint: string;
  /** Whether a name that is missing is a fault already. */
  isTried: boolean;
  /** By place in the body. */
  faults: ReadonlyMap<string, string>;
}

/** The name of a new record for programs, and the one for people. */
export function NameFields({ names, onChange, hint, isTried, faults }: Props) {
  const { name, fullname } = names;
  return (
    <>
      <Field
        label="Name"
        isRequired
        value={name}
        hint={hint}
        fault={isTried && name.trim() === '' ? 'This is needed.' : faults.get('/name')}
        onInput={(value) => onChange({ ...names, name: value })}
      />
      <Field
        label="Full name (optional)"
        value={fullname}
        fault={faults.get('/fullname')}
        onInput={(value) => onChange({ ...names, fullname: value })}
      />
    </>
  );
}
