import { createHmac } from 'node:crypto';
import type { Sealer } from '#secrets';

/**
 * What is kept of a request to recognize it by, with the name of the key it was made under. A plain hash would not do: bodies
 * hold passwords, which are short enough to be guessed.
 */
export function hashRequest(
  sealer: Sealer,
  call: { path: unknown; query: unknown; rawBody: Uint8Array },
) {
  const keys = sealer.derive('idempotency');
  const under = (id: string, bytes: Buffer) =>
    `${id}.${createHmac('sha256', bytes)
      .update(JSON.stringify([call.path, call.query]))
      .update(call.rawBody)
      .digest('hex')}`;
  return {
    stored: under(keys.current.id, keys.current.bytes),
    /** True for the hash of the same request; of one made under a key that is gone nobody can tell, and its name decides. */
    isSame(known: string): boolean {
      const key = keys.find(known.split('.')[0] ?? '');
      return key === undefined || under(key.id, key.bytes) === known;
    },
  };
}
