import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';

/** Rotates the key-encryption key while processes run; every call is answered as before. */
export function rotationWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;
  const keys = () => readFileSync(onefold().keyFile, 'utf8').trim().split('\n');

  describe('a rotation of the key-encryption key', () => {
    it('fails no call, and the old key is not needed afterwards', async () => {
      const { accountId, token } = await createMockIntegration(api(), 'rotation');
      const config = { type: 'basic', username: 'u', secret: 'before-the-rotation' } as const;
      const create = (name: string, key?: string) =>
        api().call('credentials_create', {
          path: { ownerId: accountId },
          body: { name, config },
          ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
        });
      const reopen = (credentialId: string) =>
        api().call('credentials_patch', {
          path: { ownerId: accountId, credentialId },
          body: [{ op: 'replace', path: '/config/username', value: 'v' }],
        });
      const { result: first } = await create('first', 'rotation-first');
      const tickets = { query: { limit: 1 } };
      const { cursor } = await api().as(token).call('ticketing_query_tickets', tickets);

      let rotated = false;
      let calls = 0;
      const caller = async (name: string) => {
        for (; !rotated; calls += 1) {
          const { result } = await create(`${name}-${calls}`);
          await reopen(result.id);
          await reopen(first.id);
          await api()
            .as(token)
            .call('ticketing_query_tickets', { query: { limit: 1, cursor } });
          await sleep(50); // The rotation takes 6 s; callers that never rest would take the cores from other specs.
        }
      };
      const callers = Promise.all([caller('a'), caller('b')]);
      const [before] = keys();
      const said = await onefold()
        .admin('rotate-key')
        .finally(() => (rotated = true));
      await callers;
      expect(said).toMatch(/The current key-encryption key is [0-9a-f]{8}; \d+ data keys/);
      expect(calls).toBeGreaterThan(10);
      expect(keys()).toHaveLength(2);
      expect(keys()[1]).toBe(before);

      writeFileSync(onefold().keyFile, `${keys()[0]}\n`);
      await sleep(1_500); // Every process checks the file each second.
      await reopen(first.id);
      expect((await create('first', 'rotation-first')).result.id).toBe(first.id);
      await api()
        .as(token)
        .refuse('ticketing_query_tickets', 400, { query: { limit: 1, cursor } });
    });
  });
}
