import { useState } from 'preact/hooks';
import { useRead } from '../api/query.js';
import { Combobox, type Option } from './combobox.js';
import { accountsOfEnvironment, environmentName } from './environment.js';
import { useDelayed } from './use-delayed.js';
import { nameContains, useAccountNames } from './account-names.js';

const maxFound = 20;

interface Props {
  label: string;
  /** Id of the chosen one; empty for none. */
  chosen: string;
  /** Options before the accounts. */
  first?: readonly Option[];
  /** Says why the choice is not valid. */
  fault?: string | undefined;
  onChoose: (id: string) => void;
}

/** Chooses an account among all of them, by a part of its name. */
export function AccountChoice({ label, chosen, first = [], fault, onChoose }: Props) {
  const [text, setText] = useState('');
  const wanted = useDelayed(text.trim());
  const filter = [nameContains(wanted) ?? [], accountsOfEnvironment()].flat();
  const read = useRead('accounts_list', { query: { limit: maxFound, filter } });
  // Those of an older text are not offered: Enter would choose one that nobody has read.
  const found = text.trim() === wanted ? read.data?.result : undefined;
  const special = first.find(({ value }) => value === chosen);
  const names = useAccountNames(special || chosen === '' ? [] : [chosen]);
  return (
    <Combobox
      label={label}
      chosen={special?.label ?? (chosen === '' ? '' : names(chosen))}
      options={
        found && [
          ...(text === '' ? first : []),
          ...found.map((one) => ({
            value: one.id,
            label: one.fullname,
            detail: environmentName(one.environment),
          })),
        ]
      }
      fault={fault}
      note={noteOf(read.error, found?.length)}
      onSearch={setText}
      onChoose={onChoose}
    />
  );
}

function noteOf(error: Error | null, count: number | undefined): string | undefined {
  if (error) return `They could not be listed: ${error.message}.`;
  if (count === 0) return 'No account has a name like this.';
  return count === maxFound ? 'There are more: type a part of the name.' : undefined;
}
