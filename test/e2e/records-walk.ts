import { describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';

/** Organization webhooks and bridge groups: created, read, changed, listed, deleted. */
export function recordsWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;

  describe('organization webhooks', () => {
    it('are created with a secret that becomes a credential, changed, listed and deleted', async () => {
      const { result: webhook } = await api().call('organizationWebhooks_create', {
        body: {
          name: 'walk-webhook',
          filters: ['account_create'],
          url: 'https://example.com/hooks',
          secret: { value: 'walk-webhook-secret' },
        },
      });
      const path = { webhookId: webhook.id };
      const owned = await api().call('credentials_list', { path: { ownerId: webhook.id } });
      expect(owned.result.map(({ id }) => id)).toEqual([webhook.credential_id]);
      const updated = await api().call('organizationWebhooks_update', {
        path,
        body: { ...webhook, filters: ['all'] },
      });
      expect(updated.result.filters).toEqual(['all']);
      const patched = await api().call('organizationWebhooks_patch', {
        path,
        body: [{ op: 'replace', path: '/environment', value: 'test' }],
      });
      expect(patched.result.environment).toBe('test');
      const listed = await api().call('organizationWebhooks_list', {
        query: { filter: ['name[eq]walk-webhook'] },
      });
      expect(listed.result).toEqual([patched.result]);
      await api().call('organizationWebhooks_delete', { path });
      await api().refuse('organizationWebhooks_get', 404, { path });
    });
  });

  describe('bridge groups', () => {
    it('are created with a credential, changed, listed and deleted', async () => {
      const { account } = (await api().call('accounts_create', { body: { name: 'walk-bridges' } }))
        .result;
      const { bridge, credential } = (
        await api().call('bridges_create', {
          path: { accountId: account.id },
          body: { name: 'walk-bridge' },
        })
      ).result;
      expect(credential.split('.')).toHaveLength(3);
      const path = { accountId: account.id, bridgeId: bridge.id };
      expect((await api().call('bridges_get', { path })).result).toEqual(bridge);
      expect((await api().call('bridges_get_status', { path })).result).toEqual([]);
      await api().call('bridges_update', { path, body: { ...bridge, fullname: 'Walk' } });
      const patched = await api().call('bridges_patch', {
        path,
        body: [{ op: 'add', path: '/labels', value: ['north'] }],
      });
      expect(patched.result).toMatchObject({ fullname: 'Walk', labels: ['north'] });
      const listed = await api().call('bridges_list', { path: { accountId: account.id } });
      expect(listed.result).toEqual([patched.result]);
      await api().call('bridges_delete', { path });
      await api().refuse('bridges_get', 404, { path });
    });
  });

  describe('sub organizations', () => {
    it('are created with a token of their own, read, listed and deleted', async () => {
      const { organization, token } = (
        await api().call('subOrgs_create', { body: { name: 'walk-sub', contact: 'a@example.com' } })
      ).result;
      expect(organization).toMatchObject({ organization_type: 'standard' });
      const own = api().as(token.access.secret);
      expect((await own.call('organization_get')).result).toEqual(organization);
      const path = { organizationId: organization.id };
      expect((await api().call('subOrgs_get', { path })).result).toEqual(organization);
      expect((await api().call('subOrgs_list')).result).toEqual([organization]);
      await api().call('subOrgs_delete', { path });
      await api().refuse('subOrgs_get', 404, { path });
      await eventually(() => own.refuse('organization_get', 401));
    });

    it('are answered 402 through every path while they are disabled', async () => {
      const { organization, token } = (
        await api().call('subOrgs_create', { body: { name: 'walk-disabled' } })
      ).result;
      const own = api().as(token.access.secret);
      const { token: integration } = await createMockIntegration(own, 'walk-disabled');
      const connector = api().as(integration);
      const renewal = api().as(token.refresh.secret);
      const refresh = { path: { refreshTokenId: organization.refresh_token_id } };
      await onefold().admin('disable', '--organization', 'walk-disabled');
      await eventually(() => own.refuse('accounts_list', 402));
      await eventually(() => connector.refuse('ticketing_list_projects', 402));
      await eventually(() => renewal.refuse('tokens_refresh', 402, refresh));
      await api().call('subOrgs_get', { path: { organizationId: organization.id } });
      await onefold().admin('enable', '--organization', organization.id);
      await eventually(() => own.call('accounts_list'));
      await eventually(() => connector.call('ticketing_list_projects'));
    });
  });
}
