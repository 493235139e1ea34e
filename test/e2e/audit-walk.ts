import { describe, expect, it } from '@jest/globals';
import { until } from '#test/harness';
import type { ManagementSchemas } from '#contract';
import { type Client } from './client.js';
import type { Onefold } from './onefold.js';

type Audit = ManagementSchemas['Audit'];

/** Calls and refusals are in the audit trail, whichever process they happened in. */
export function auditWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;
  const list = async (...filter: string[]): Promise<Audit[]> =>
    (await api().call('audit_list', { query: { filter, limit: 1_000 } })).result;

  describe('the audit trail', () => {
    it('has calls with their outcome, in the order they ended, by account and in pages', async () => {
      const { account } = (await api().call('accounts_create', { body: { name: 'walk-audit' } }))
        .result;
      const path = { accountId: account.id };
      await api().call('accounts_get', { path });
      await api().refuse('accounts_patch', 400, {
        path,
        body: [{ op: 'replace', path: '/id', value: 'x' }],
      });
      await api().call('accounts_delete', { path });
      const records = await list(`account_id[eq]${account.id}`);
      expect(records.map(({ method, code }) => `${method} ${code}`)).toEqual([
        'POST 200',
        'GET 200',
        'PATCH 400',
        'DELETE 204',
      ]);
      const [first, second] = records;
      const next = await api().call('audit_list', {
        query: {
          limit: 1,
          filter: [`account_id[eq]${account.id}`],
          start_after: first?.created_at ?? '',
        },
      });
      expect(next.result).toEqual([second]);
    });

    it('has calls that were refused at the gateway', async () => {
      const { result } = await api().call('tokens_create_token', {
        body: { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
      });
      const viewer = api().as(result.primary.access.secret);
      await viewer.refuse('mappings_create', 403, { body: { name: 'never', data: '' } });
      const denied = async () =>
        (await list('code[eq]permission_denied', 'path[eq]/v1/mappings')).length;
      await until(async () => (await denied()) > 0);
      expect(await list('path[eq]/v1/mappings', 'code[in]permission_denied,403')).toMatchObject([
        { audit_type: 'ALARM', status: 'refused' },
        { audit_type: 'API', response: 'the token does not permit mappings_create' },
      ]);
    });
  });
}
