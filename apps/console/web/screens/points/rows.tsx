import type { ComponentChildren } from 'preact';
import { faultAt } from '../../forms/faults.js';
import { CheckBoxes } from '../../parts/check-boxes.js';

/** An item of a list that is edited; the key stays when items before it are removed. */
export interface Row<Value> {
  key: string;
  value: Value;
}

export function rowsOf<Value>(values: readonly Value[] | null | undefined): Row<Value>[] {
  return (values ?? []).map((value) => ({ key: crypto.randomUUID(), value }));
}

export function valuesIn<Value>(rows: readonly Row<Value>[]): Value[] {
  return rows.map(({ value }) => value);
}

/** Finds the fault of a field of an item. */
export type FaultOf = (field: string) => string | undefined;

export interface RowsProps<Value> {
  domain: string;
  rows: readonly Row<Value>[];
  onChange: (rows: readonly Row<Value>[]) => void;
  /** By the key of an item and the field in it, such as `providers`. */
  faultOf: (key: string, field: string) => string | undefined;
}

interface EditorProps<Value> extends RowsProps<Value> {
  id: string;
  title: string;
  /** Says what they are for. */
  lead: string;
  /** The name of an item, such as "Schedule". */
  item: string;
  empty: string;
  /** A new item. */
  fresh: Value;
  /** The fields of an item. */
  children: (
    value: Value,
    change: (part: Partial<Value>) => void,
    faultOf: FaultOf,
  ) => ComponentChildren;
}

/** A list whose items are added, changed and removed. */
export function RowsEditor<Value>(props: EditorProps<Value>) {
  const { id, title, lead, item, empty, fresh, rows, onChange, faultOf, children } = props;
  const changeOne = (key: string, part: Partial<Value>) =>
    onChange(
      rows.map((one) => (one.key === key ? { key, value: { ...one.value, ...part } } : one)),
    );
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      <p>{lead}</p>
      {rows.length === 0 && <p class="empty">{empty}</p>}
      {rows.map(({ key, value }, index) => (
        <fieldset key={key}>
          <legend>
            {item} {index + 1}
          </legend>
          {children(
            value,
            (part) => changeOne(key, part),
            (field) => faultOf(key, field),
          )}
          <p>
            <button
              type="button"
              class="small"
              onClick={() => {
                onChange(rows.filter((one) => one.key !== key));
                document.getElementById(id)?.focus(); // the button that had the focus is gone
              }}
            >
              Remove {item.toLowerCase()} {index + 1}
            </button>
          </p>
        </fieldset>
      ))}
      <p>
        <button type="button" onClick={() => onChange([...rows, ...rowsOf([fresh])])}>
          Add {/^[aeiou]/i.test(item) ? 'an' : 'a'} {item.toLowerCase()}
        </button>
      </p>
    </section>
  );
}

interface PicksProps<Value extends string> {
  title: string;
  choices: readonly Value[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
  fault?: string | undefined;
  /** Text of a value; its id unless said otherwise. */
  nameOf?: (value: Value) => ComponentChildren;
}

/** Chooses several of some values; one that is chosen and not offered stays. */
export function Picks<Value extends string>(props: PicksProps<Value>) {
  const { title, choices, chosen, onChange, fault, nameOf = (one) => <code>{one}</code> } = props;
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="picks" role="group" aria-label={title}>
        <CheckBoxes
          choices={[...new Set([...choices, ...chosen])].map((one) => [one, nameOf(one)] as const)}
          chosen={chosen}
          onChange={onChange}
        />
      </div>
      {fault !== undefined && <p class="wrong">{fault}</p>}
    </fieldset>
  );
}

/**
 * Finds faults of items by their keys: what the service refused had other numbers if items were removed since.
 * @param sent keys of the items in the request, in its order
 */
export function faultFinder(
  faults: ReadonlyMap<string, string>,
  list: string,
  sent: readonly string[],
): RowsProps<unknown>['faultOf'] {
  return (key, field) =>
    sent.includes(key) ? faultAt(faults, `/${list}/${sent.indexOf(key)}/${field}`) : undefined;
}
