import { describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';
import { statusWalk } from './status-walk.js';

/** Accounts, credentials, integration points, integrations, tokens, mappings: created, read, changed, listed, deleted. */
export function managementWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;

  describe('accounts', () => {
    it('are created with the defaults of the specification, and found by id and by name', async () => {
      const { account } = (
        await api().call('accounts_create', {
          body: { fullname: 'Acme & Sons, Ltd.', labels: ['gold'] },
        })
      ).result;
      expect(account).toMatchObject({ fullname: 'Acme & Sons, Ltd.', labels: ['gold'] });
      expect(account.name).toMatch(/^[a-z0-9_-]+$/);
      const byId = await api().call('accounts_get', { path: { accountId: account.id } });
      const byName = await api().call('accounts_get', { path: { accountId: account.name } });
      expect(byId.result).toEqual(account);
      expect(byName.result).toEqual(account);

      const nameless = (await api().call('accounts_create', { body: {} })).result.account;
      expect(nameless).toMatchObject({ name: nameless.id, fullname: nameless.id });
    });

    it('are updated, patched and deleted', async () => {
      const { account } = (await api().call('accounts_create', { body: { name: 'walk-update' } }))
        .result;
      const path = { accountId: account.id };
      const updated = await api().call('accounts_update', {
        path,
        body: { ...account, fullname: 'Walk' },
      });
      expect(updated.result.fullname).toBe('Walk');
      const patched = await api().call('accounts_patch', {
        path,
        body: [{ op: 'add', path: '/labels', value: ['silver'] }],
      });
      expect(patched.result).toMatchObject({ fullname: 'Walk', labels: ['silver'] });
      await api().refuse('accounts_patch', 400, {
        path,
        body: [{ op: 'replace', path: '/organization_id', value: 'org_x' }],
      });
      await api().call('accounts_delete', { path });
      await api().refuse('accounts_get', 404, { path });
    });

    it('are listed with filter, order, pages and total', async () => {
      for (const name of ['list-a', 'list-b', 'list-c'])
        await api().call('accounts_create', { body: { name, labels: ['walk-list'] } });
      const filter = ['name[like]list-%'];
      const first = await api().call('accounts_list', { query: { filter, limit: 2, total: true } });
      expect(first).toMatchObject({ result: [{ name: 'list-a' }, { name: 'list-b' }], total: 3 });
      const rest = await api().call('accounts_list', {
        query: { filter, limit: 2, start_after: 'list-b' },
      });
      expect(rest.result.map(({ name }) => name)).toEqual(['list-c']);
      const down = await api().call('accounts_list', { query: { filter, order: ['name[desc]'] } });
      expect(down.result.map(({ name }) => name)).toEqual(['list-c', 'list-b', 'list-a']);
      const refused = await api().refuse('accounts_list', 400, {
        query: { filter: ['nmae[eq]x'] },
      });
      expect(refused.context?.parameter).toMatchObject({ id: 'filter', location: 'query' });
    });

    it('keep their names to themselves', async () => {
      await api().call('accounts_create', { body: { name: 'walk-taken' } });
      const problem = await api().refuse('accounts_create', 409, { body: { name: 'walk-taken' } });
      expect(problem.message).toContain('walk-taken');
    });

    it('come with a token that reaches them and no other, when one is asked for', async () => {
      const { account, token } = (
        await api().call('accounts_create', {
          body: { name: 'walk-token', token: { permission_set: 'account-manager' } },
        })
      ).result;
      const own = api().as(token?.primary.access.secret);
      const listed = await own.call('accounts_list');
      expect(listed.result.map(({ id }) => id)).toEqual([account.id]);
      const { account: other } = (await api().call('accounts_create', { body: {} })).result;
      await own.refuse('accounts_get', 404, { path: { accountId: other.id } });
    });

    it('are created once for an idempotency key, however often the call is made', async () => {
      const headers = { 'idempotency-key': 'walk-1' };
      const body = { fullname: 'Once' };
      const first = await api().call('accounts_create', { body, headers });
      const again = await api().call('accounts_create', { body, headers });
      expect(again.result.account.id).toBe(first.result.account.id);
    });
  });

  describe('credentials', () => {
    it('never show their secret, and are patched as far as the specification allows', async () => {
      const { account } = (
        await api().call('accounts_create', { body: { name: 'walk-credentials' } })
      ).result;
      const created = await api().send<{ result: { id: string } }>('credentials_create', {
        path: { ownerId: account.id },
        body: {
          name: 'basic',
          config: { type: 'basic', username: 'u', secret: 'hunter2' },
        },
      });
      expect(created.status).toBe(200);
      expect(created.text).not.toContain('hunter2');
      const credentialId = created.body.result.id;
      const path = { ownerId: account.id, credentialId };
      const found = await api().call('credentials_get', { path });
      expect(found.result).toMatchObject({
        account_id: account.id,
        config: { type: 'basic' },
      });
      expect(JSON.stringify(found)).not.toContain('hunter2');
      const lookedUp = await api().call('credentials_lookup', { path: { credentialId } });
      expect(lookedUp.result.id).toBe(credentialId);
      await api().call('credentials_patch', {
        path,
        body: [{ op: 'replace', path: '/fullname', value: 'Basic' }],
      });
      await api().refuse('credentials_patch', 400, {
        path,
        body: [{ op: 'copy', from: '/name', path: '/fullname' }],
      });
      const listed = await api().call('credentials_list', { path: { ownerId: account.id } });
      expect(listed.result.map(({ fullname }) => fullname)).toEqual(['Basic']);
      await api().call('credentials_delete', { path });
      await api().refuse('credentials_get', 404, { path });
    });
  });

  describe('integration points', () => {
    it('are created, changed, listed and deleted', async () => {
      const { result: point } = await api().call('integrationPoints_create', {
        body: {
          name: 'walk-point',
          connector: 'ticketing',
          environments: { test: ['*'], prod: ['ticketing_mock_ticketing'] },
        },
      });
      const path = { integrationPointId: point.id };
      const patched = await api().call('integrationPoints_patch', {
        path,
        body: [{ op: 'add', path: '/description', value: 'tickets' }],
      });
      expect(patched.result.description).toBe('tickets');
      const listed = await api().call('integrationPoints_list', {
        query: { filter: ['name[eq]walk-point'] },
      });
      expect(listed.result.map(({ id }) => id)).toEqual([point.id]);
      await api().call('integrationPoints_delete', { path });
      await api().refuse('integrationPoints_get', 404, { path });
    });
  });

  describe('integrations', () => {
    it('are verified, created, listed with their account, patched and deleted', async () => {
      const { account } = (
        await api().call('accounts_create', { body: { name: 'walk-integrations' } })
      ).result;
      const path = { accountId: account.id };
      const body = { name: 'desk', provider_config: { type: 'ticketing_mock_ticketing' as const } };
      await api().call('integrations_verify', { path, body: { integration: body } });
      const { integration } = (await api().call('integrations_create', { path, body })).result;
      expect(integration).toMatchObject({
        name: 'desk',
        account_id: account.id,
        category: 'ticketing',
        provider_type: 'ticketing_mock_ticketing',
      });
      const one = { accountId: account.id, integrationId: integration.id };
      await api().call('integrations_verify_existing', { path: one });
      const listed = await api().call('integrations_list_account', {
        path,
        query: { expand: ['account'] },
      });
      expect(listed.result).toMatchObject([{ id: integration.id, account: { id: account.id } }]);
      const patched = await api().call('integrations_patch', {
        path: one,
        body: [{ op: 'replace', path: '/fullname', value: 'Service desk' }],
      });
      expect(patched.result.fullname).toBe('Service desk');
      await api().call('integrations_delete', { path: one });
      await api().refuse('integrations_get', 404, { path: one });
    });

    it('go with their account', async () => {
      const { accountId, integrationId, token } = await createMockIntegration(
        api(),
        'walk-cascade',
      );
      await api().as(token).call('ticketing_list_projects');
      await api().call('accounts_delete', { path: { accountId } });
      await api().refuse('integrations_get', 404, { path: { accountId, integrationId } });
    });
  });

  describe('tokens', () => {
    it('are created for an integration, and stop working when they are deleted', async () => {
      const { accountId, integrationId } = await createMockIntegration(api(), 'walk-tokens');
      const { result } = await api().call('tokens_create_integration_token', {
        path: { accountId, integrationId },
        body: { name: 'for-the-walk' },
      });
      await api().as(result.secret).call('ticketing_list_projects');
    });

    it('are refreshed: the new pair works, and the one before it once more', async () => {
      const { result: made } = await api().call('tokens_create_token', {
        body: {
          name: 'walk-refresh',
          permission_set: 'viewer',
          resources: { accounts: { ids: ['*'] } },
        },
      });
      const path = { refreshTokenId: made.id };
      const refreshed = await api()
        .as(made.primary.refresh.secret)
        .call('tokens_refresh', { path });
      for (const pair of [refreshed.result.primary, made.primary])
        await api().as(pair.access.secret).call('accounts_list');
      const info = await api().call('tokens_get', { path });
      expect(JSON.stringify(info)).not.toContain(refreshed.result.primary.access.secret);
      await api().call('tokens_remove_secondary', { path });
      await eventually(() => api().as(made.primary.access.secret).refuse('accounts_list', 401));
      await api().call('tokens_delete', { path });
      await eventually(() =>
        api().as(refreshed.result.primary.access.secret).refuse('accounts_list', 401),
      );
    });

    it('permit what their permission set says', async () => {
      const { result: made } = await api().call('tokens_create_token', {
        body: { permission_set: 'viewer', resources: { accounts: { ids: ['*'] } } },
      });
      const viewer = api().as(made.primary.access.secret);
      await viewer.call('accounts_list');
      await viewer.refuse('accounts_create', 403, { body: {} });
    });
  });

  describe('the status of integrations', () => statusWalk(onefold));

  describe('the organization and what it can do', () => {
    it('is read and changed', async () => {
      const { result } = await api().call('organization_get');
      const patched = await api().call('organization_patch', {
        body: [{ op: 'add', path: '/contact', value: 'ops@example.com' }],
      });
      expect(patched.result).toMatchObject({ id: result.id, contact: 'ops@example.com' });
    });

    it('lists its connectors and providers', async () => {
      const connectors = await api().call('capabilities_list_connectors');
      expect(connectors.result.map(({ id }) => id)).toContain('ticketing');
      const provider = await api().call('capabilities_get_provider', {
        path: { providerId: 'ticketing_mock_ticketing' },
        query: { expand: ['operations'] },
      });
      const offered = provider.result.operations?.find(
        ({ id }) => id === 'ticketing_query_tickets',
      );
      expect(offered).toMatchObject({ supported: true, request_path: '/v1/ticketing/tickets' });
      expect(offered?.filters?.map(({ name }) => name)).toContain('priority');
      expect(offered?.supported_response_fields).toEqual(
        expect.arrayContaining(['id', 'priority', 'summary', 'unmapped']),
      );
      const all = await api().call('capabilities_list_providers', {
        query: { expand: ['connector', 'operations', 'provider_config'] },
      });
      expect(all.result.map(({ id }) => id)).toContain('ticketing_mock_ticketing');
      await api().refuse('capabilities_get_provider', 404, {
        path: { providerId: 'ticketing_nobody' },
      });
    });

    it('serves both documents of the contract', async () => {
      for (const id of ['meta_management_openapi_spec', 'meta_engine_openapi_spec'] as const)
        expect(await api().call(id)).toMatchObject({ openapi: '3.1.0' });
    });
  });
}
