import { useState } from 'preact/hooks';
import { useRead } from '../api/query.js';
import { nameContains } from './account-names.js';
import { Combobox, type Option } from './combobox.js';
import { accountsOfEnvironment, environmentName } from './environment.js';
import { useNamesOf } from './record-names.js';
import { useDelayed } from './use-delayed.js';

const maxFound = 20;

interface Props {
  label: string;
  /** Id of the chosen one; empty for none. */
  chosen: string;
  /** Options before the records. */
  first?: readonly Option[];
  /** Says why the choice is not valid. */
  fault?: string | undefined;
  onChoose: (id: string) => void;
}

/** Chooses an account among all of them, by a part of its name. */
export function AccountChoice(props: Props) {
  return (
    <RecordChoice
      {...props}
      operation="accounts_list"
      filter={accountsOfEnvironment()}
      kind="account"
    />
  );
}

/** Chooses a member among all of them, by a part of their name. */
export function MemberChoice(props: Props) {
  return <RecordChoice {...props} operation="members_list" kind="member" />;
}

interface RecordProps extends Props {
  operation: 'accounts_list' | 'members_list';
  /** Names a record in a sentence. */
  kind: string;
  filter?: string | readonly string[] | undefined;
}

function RecordChoice(props: RecordProps) {
  const { operation, kind, label, chosen, first = [], fault, onChoose } = props;
  const [text, setText] = useState('');
  const wanted = useDelayed(text.trim());
  const filter = [nameContains(wanted) ?? [], props.filter ?? []].flat();
  const read = useRead(operation, { query: { limit: maxFound, filter } });
  const records: readonly { id: string; fullname: string; environment?: string }[] | undefined =
    read.data?.result;
  // Those of an older text are not offered: Enter would choose one that nobody has read.
  const found = text.trim() === wanted ? records : undefined;
  const special = first.find(({ value }) => value === chosen);
  const names = useNamesOf(operation, special || chosen === '' ? [] : [chosen]);
  return (
    <Combobox
      label={label}
      chosen={special?.label ?? (chosen === '' ? '' : names(chosen))}
      options={
        found && [
          ...(text === '' ? first : []),
          ...found.map(({ id, fullname, environment }) => ({
            value: id,
            label: fullname,
            ...(environment === undefined ? {} : { detail: environmentName(environment) }),
          })),
        ]
      }
      note={noteOf(kind, read.error, found?.length)}
      fault={fault}
      onSearch={setText}
      onChoose={onChoose}
    />
  );
}

function noteOf(kind: string, error: Error | null, count: number | undefined): string | undefined {
  if (error) return `They could not be listed: ${error.message}.`;
  if (count === 0) return `No ${kind} has a name like this.`;
  return count === maxFound ? 'There are more: type a part of the name.' : undefined;
}
