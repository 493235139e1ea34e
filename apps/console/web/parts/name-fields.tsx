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

/** The name of a new record for people, and the one for programs, which follows it until somebody types another. */
export function NameFields({ names, onChange, hint, isTried, faults }: Props) {
  const { name, fullname } = names;
  return (
    <>
      <Field
        label="Full name (optional)"
        value={fullname}
        fault={faults.get('/fullname')}
        onInput={(value) => {
          const isDerived = name === '' || name === nameOf(fullname);
          onChange({ name: isDerived ? nameOf(value) : name, fullname: value });
        }}
      />
      <Field
        label="Name"
        isRequired
        value={name}
        hint={hint}
        fault={isTried && name.trim() === '' ? 'This is needed.' : faults.get('/name')}
        onInput={(value) => onChange({ ...names, name: value })}
      />
    </>
  );
}

const maxName = 128;

/** `ACME Corp GmbH` → `acme-corp-gmbh` */
function nameOf(fullname: string): string {
  return fullname
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, maxName);
}
