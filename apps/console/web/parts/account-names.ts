import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';

/** The filter for accounts whose name for people contains a text; undefined for none. */
export function nameContains(text: string): string | undefined {
  return text === '' ? undefined : contains('fullname', text);
}

/** The filter for records of which a field contains a text; `%` and `*` in it stand for any text. */
export function contains(field: string, text: string): string {
  return `${field}[like]"%${text.replaceAll('"', '\\"')}%"`;
}

/** Names for people of the accounts with these ids; an id stands for one that is gone or not to be seen. */
export function useAccountNames(ids: readonly string[]): (id: string) => string {
  const distinct = [...new Set(ids)].sort();
  const query = { limit: distinct.length, filter: `id[in]${distinct.join(',')}` };
  const isWanted = distinct.length > 0 && mayCall('accounts_list');
  const read = useRead('accounts_list', { query }, undefined, isWanted);
  const names = new Map((read.data?.result ?? []).map(({ id, fullname }) => [id, fullname]));
  return (id) => names.get(id) ?? id;
}
