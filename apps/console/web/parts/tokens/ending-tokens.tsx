import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { counted, maxCounted } from '../counted.js';
import { useNotEnded } from './not-ended.js';

/** Says how many tokens a deletion ends; nothing where the session does not show tokens. @param filter chooses them */
export function EndingTokens({ filter }: { filter: readonly string[] }) {
  const query = { limit: maxCounted, filter: [...filter, useNotEnded()] };
  const isShown = mayCall('tokens_list');
  const found = useRead('tokens_list', { query }, undefined, isShown).data?.result;
  if (found === undefined) return null;
  return (
    <li>
      {counted(found.length, 'token', 'tokens')}
      {found.length > 0 &&
        `: programs that use ${found.length === 1 ? 'it' : 'them'} are refused from then on`}
    </li>
  );
}
