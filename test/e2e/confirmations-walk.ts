import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';

interface DryRun {
  dry_run: { requests: object[]; confirm?: { token: string; expires_at: string } };
}

/** Tests that dangerous operations are confirmed, or left to another token. */
export function confirmationsWalk(onefold: () => Pick<Onefold, 'api'>): void {
  const api = (): Client => onefold().api;
  let accountId: string;
  beforeAll(async () => {
    const { result } = await api().call('accounts_create', { body: { name: 'careful' } });
    accountId = result.account.id;
  });

  const type = 'identity_okta_mock' as const;
  const dry = { dry_run: true };

  async function connect(confirms: boolean, provider_config: object = { type }) {
    const body = {
      provider_config: provider_config as never,
      ...(confirms ? { confirm_dangerous_actions: true } : {}),
    };
    const { result } = await api().call('integrations_create', { path: { accountId }, body });
    return {
      id: result.integration.id,
      integration: result.integration,
      client: api().as(result.token.access.secret),
    };
  }

  /** Returns the ids of two users. */
  async function usersOf(client: Client): Promise<[string, string]> {
    const { result } = await client.call('identity_query_users', { query: { limit: 2 } });
    const users = result as unknown as { entity: { user: { uid: string } } }[];
    return users.map(({ entity }) => entity.user.uid) as [string, string];
  }

  async function confirmOf(client: Client, userId: string): Promise<string> {
    const { body } = await client.send<DryRun>('identity_disable_user', {
      path: { userId },
      query: dry,
    });
    return body.dry_run.confirm?.token ?? '';
  }

  describe('an integration that demands confirmations', () => {
    it('carries out a dangerous operation once with the token of its dry run', async () => {
      const { client, integration } = await connect(true);
      expect(integration.confirm_dangerous_actions).toBe(true);
      const [userId, other] = await usersOf(client);
      const path = { userId };
      const refused = await client.refuse('identity_disable_user', 409, { path });
      expect(refused).toMatchObject({
        message: expect.stringContaining('needs a confirmation') as unknown,
        remediation: expect.stringContaining('dry_run=true') as unknown,
      });
      const { body } = await client.send<DryRun>('identity_disable_user', { path, query: dry });
      const { token = '', expires_at = '' } = body.dry_run.confirm ?? {};
      expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 9 * 60_000);
      const query = { confirm: token };
      const ofOther = await client.refuse('identity_disable_user', 400, {
        path: { userId: other },
        query,
      });
      expect(ofOther.message).toContain('confirm');
      const ofReset = { path, query };
      await client.refuse('identity_force_user_password_reset', 400, ofReset);
      await client.call('identity_disable_user', { path, query });
      const again = await client.refuse('identity_disable_user', 409, { path, query });
      expect(again.message).toContain('used before');
      // An operation that is not dangerous needs none.
      await client.call('identity_enable_user', { path });
    });

    it('takes the token of its own dry runs only', async () => {
      const [one, two] = [await connect(true), await connect(true)];
      const [userId] = await usersOf(one.client);
      const query = { confirm: await confirmOf(one.client, userId) };
      await two.client.refuse('identity_disable_user', 400, { path: { userId }, query });
      const typed = { confirm: 'yes' };
      await one.client.refuse('identity_disable_user', 400, { path: { userId }, query: typed });
      await one.client.call('identity_disable_user', { path: { userId }, query });
    });

    it('uses a token once, however many calls come at the same time', async () => {
      const { client } = await connect(true);
      const [userId] = await usersOf(client);
      const query = { confirm: await confirmOf(client, userId) };
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const path = { userId };
          return (await client.send('identity_disable_user', { path, query })).status;
        }),
      );
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    });

    it('demands it of operations that others run, too, and takes a body in another order', async () => {
      const { client } = await connect(true, { type: 'edr_crowdstrike_mock' });
      const { result } = await client.call('edr_query_endpoints', { query: { limit: 1 } });
      const uid = (result[0] as { device?: { uid?: string } }).device?.uid ?? '';
      const custom = { path: { operation: 'edr_network_quarantine' as const } };
      const body = { endpoint_ids: [uid], state: 'Disconnect' as const };
      await client.refuse('custom_post', 409, { ...custom, body });
      const rehearsed = await client.send<DryRun>('edr_network_quarantine', { body, query: dry });
      const confirm = rehearsed.body.dry_run.confirm?.token ?? '';
      await client.refuse('custom_post', 400, { ...custom, body, query: { confirm } });
      const turned = Object.fromEntries(Object.entries(body).reverse()) as typeof body;
      await client.call('edr_network_quarantine', { body: turned, query: { confirm } });
      const batch = await client.send<{ result: { problem?: { status: number } }[] }>(
        'custom_post_batch',
        { ...custom, body: [body] },
      );
      expect(batch.body.result[0]?.problem).toMatchObject({
        status: 409,
        remediation: expect.stringContaining('custom_post for each record') as unknown,
      });
    });

    it('keeps the demand with an update that does not know it, until it is switched off', async () => {
      const { id, integration, client } = await connect(true);
      const { confirm_dangerous_actions: _, ...known } = integration;
      const path = { accountId, integrationId: id };
      const updated = await api().call('integrations_update', { path, body: known });
      expect(updated.result.confirm_dangerous_actions).toBe(true);
      const [userId] = await usersOf(client);
      await client.refuse('identity_disable_user', 409, { path: { userId } });
      const off = [{ op: 'replace', path: '/confirm_dangerous_actions', value: false }];
      await api().call('integrations_patch', { path, body: off as never });
      await client.call('identity_disable_user', { path: { userId } });
    });
  });

  describe('a confirmation that nobody demands', () => {
    it('is checked where it is sent', async () => {
      const { client } = await connect(false);
      const [userId, other] = await usersOf(client);
      const query = { confirm: await confirmOf(client, userId) };
      await client.refuse('identity_disable_user', 400, { path: { userId: other }, query });
      await client.call('identity_disable_user', { path: { userId }, query });
      await client.call('identity_disable_user', { path: { userId: other } });
    });
  });

  describe('a token that may only try dangerous operations', () => {
    it('reads and writes, gets their dry runs, and leaves it to another token to carry them out', async () => {
      const { id, client } = await connect(false);
      const path = { accountId, integrationId: id };
      const made = await api().call('tokens_create_integration_token', {
        path,
        body: { permission_set: 'integration-dry-run' },
      });
      const trying = api().as(made.result.secret);
      const [userId] = await usersOf(trying);
      const refused = await trying.refuse('identity_disable_user', 403, { path: { userId } });
      expect(refused).toMatchObject({
        message: expect.stringContaining('with dry_run=true only') as unknown,
        remediation: expect.stringContaining('another token') as unknown,
      });
      const confirm = await confirmOf(trying, userId);
      const query = { confirm };
      await trying.refuse('identity_disable_user', 403, { path: { userId }, query });
      await trying.call('identity_enable_user', { path: { userId } });
      await client.call('identity_disable_user', { path: { userId }, query });
    });

    it('is one of its kind: other permission sets and scopes are refused', async () => {
      const { id } = await connect(false);
      const path = { accountId, integrationId: id };
      const wrong = { permission_set: 'viewer' } as never;
      await api().refuse('tokens_create_integration_token', 400, { path, body: wrong });
      const refused = await api().refuse('tokens_create_mcp_token', 400, {
        body: { permission_set: 'mcp-integrations-dry-run', scope: { type: 'management' } },
      });
      expect(refused.message).toContain('does not fit the scope management');
    });
  });
}
