import { useState } from 'preact/hooks';
import { useRead } from '../api/query.js';
import { nameContains } from './account-names.js';
import { Combobox, type Option } from './combobox.js';
import { accountsOfEnvironment, environmentName } from './environment.js';
import { type Listing, useNamesOf } from './record-names.js';
import { useDelayed } from './use-delayed.js';

const maxFound = 20;

/** Properties of every choice of a record. */
export interface ChoiceProps {
  label: string;
  /** Id of the chosen one; empty for none. */
  chosen: string;
  /** Options before the records. */
  first?: readonly Option[];
  hint?: string | undefined;
  /** Says why the choice is not valid. */
  fault?: string | undefined;
  onChoose: (id: string) => void;
}

/** Chooses an account among all of them, by a part of its name. */
export function AccountChoice(props: ChoiceProps) {
  return (
    <RecordChoice
      {...props}
      operation="accounts_list"
      filter={accountsOfEnvironment()}
      kind="account"
      detailOf={({ environment }) => environmentName(environment ?? '')}
    />
  );
}

interface RecordProps extends ChoiceProps {
  operation: Exclude<Listing, 'integrations_list'>;
  /** Names a record in a sentence. */
  kind: string;
  filter?: string | readonly string[] | undefined;
  by?: 'id' | 'name';
  detailOf?: (one: Found) => string;
}

interface Found {
  id: string;
  name: string;
  fullname?: string | null;
  environment?: string;
}

/** Chooses a record among all of a kind, by a part of its name. @param by what the choice is told as */
export function RecordChoice(props: RecordProps) {
  const { operation, kind, label, chosen, first = [], by = 'id', onChoose } = props;
  const [text, setText] = useState('');
  const wanted = useDelayed(text.trim());
  const filter = [nameContains(wanted) ?? [], props.filter ?? []].flat();
  const read = useRead(operation, { query: { limit: maxFound, filter } });
  const records: readonly Found[] | undefined = read.data?.result;
  // Those of an older text are not offered: Enter would choose one that nobody has read.
  const found = text.trim() === wanted ? records : undefined;
  const special = first.find(({ value }) => value === chosen);
  const names = useNamesOf(operation, special || chosen === '' ? [] : [chosen]);
  return (
    <Combobox
      label={label}
      chosen={special?.label ?? names(chosen)}
      options={
        found && [
          ...(text === '' ? first : []),
          ...found.map((one) => ({
            value: one[by],
            label: one.fullname ?? one.name,
            detail: props.detailOf?.(one),
          })),
        ]
      }
      note={noteOf(kind, read.error, found?.length)}
      hint={props.hint}
      fault={props.fault}
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
