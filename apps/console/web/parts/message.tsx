import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';
import { sentence } from './sentence.js';

/** A capture, so that a text that is split by it keeps the ids, at the odd places. */
const credentialId = /(\bcrd_[0-9a-z]+)/;

/** A message of the service as a sentence, with the names of the credentials that it knows by their ids. */
export function Message({ text }: { text: string }) {
  const parts = sentence(text).split(credentialId);
  const ids = [...new Set(parts.filter((_, index) => index % 2 === 1))].sort();
  const query = { limit: ids.length, filter: `id[in]${ids.join(',')}` };
  const isWanted = ids.length > 0 && mayCall('credentials_list_all');
  const found = useRead('credentials_list_all', { query }, undefined, isWanted).data?.result ?? [];
  const names = new Map(found.map(({ id, fullname }) => [id, fullname]));
  return (
    <>
      {parts.map((part, index) => {
        const name = names.get(part);
        if (!name || name === part) return part;
        return (
          <span key={index}>
            “<bdi>{name}</bdi>” <small>{part}</small>
          </span>
        );
      })}
    </>
  );
}
