import { useMemo } from 'preact/hooks';
import { useRead } from '../../api/query.js';

const maxListed = 200;

/** Finds the credentials that an account has, by their kind, as names by id. */
export function useStoredCredentials(
  accountId: string,
): (kind: string) => ReadonlyMap<string, string> {
  const query = { limit: maxListed };
  const read = useRead('credentials_list', { path: { ownerId: accountId }, query });
  return useMemo(() => {
    const all = read.data?.result ?? [];
    return (kind) =>
      new Map(
        all
          .filter(({ config, owner_type }) => config?.type === kind && owner_type === 'account')
          .map(({ id, fullname }) => [id, fullname]),
      );
  }, [read.data]);
}
