import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningFake, startFake } from '#test/harness';
import type { Client } from './client.js';
import { type Onefold, sharedOnefold } from './onefold.js';

const project = 'alderpoint/desk';
/** GitHub refuses this one, because its fake knows another. */
const wrongSecret = 'a wrong one';

const stays = /alderpoint\/desk is still at the provider: .*Bad credentials/;

let onefold: Pick<Onefold, 'api'>;
let github: RunningFake;
beforeAll(async () => {
  [onefold, github] = await Promise.all([sharedOnefold(), startFake('github')]);
}, 300_000);
afterAll(() => github.stop());

async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(20);
  }
}

interface Integrated {
  path: { accountId: string; integrationId: string };
  client: Client;
}

/** An integration in an account of its own, with a webhook at GitHub. */
async function integrate(api: Client, name: string): Promise<Integrated> {
  const { account } = (await api.call('accounts_create', { body: { name } })).result;
  const { url, credentials } = github;
  const credential = { type: 'token', secret: credentials.secret };
  const provider_config = { type: 'ticketing_github', repository: project, url, credential };
  const path = { accountId: account.id };
  const { result } = await api.call('integrations_create', {
    path,
    body: { name, provider_config } as never,
  });
  const client = api.as(result.token.access.secret);
  await client.call('integrationWebhooks_create_webhook', { body: { project } });
  return { path: { ...path, integrationId: result.integration.id }, client };
}

async function useWrongSecret(api: Client, path: Integrated['path']): Promise<void> {
  const value = { type: 'token', secret: wrongSecret };
  const patch = [{ op: 'replace', path: '/provider_config/credential', value }];
  await api.call('integrations_patch', { path, body: patch as never });
}

async function createSubOrganization(name: string): Promise<{ id: string; api: Client }> {
  const { result } = await onefold.api.call('subOrgs_create', { body: { name } });
  return { id: result.organization.id, api: onefold.api.as(result.token.access.secret) };
}

/** Waits for an alarm about a webhook that its provider still has. */
async function alarmOf(filter: string): Promise<{ response?: string | null }> {
  return await until(async () => {
    const query = { filter: ['audit_type[eq]ALARM', filter] };
    const { result } = await onefold.api.call('audit_list', { query });
    return result.find(({ code }) => code === 'webhook_left_at_provider');
  });
}

/** Statuses of the deletions that GitHub has got. */
function deletions(): (number | null)[] {
  return github.engine.log.requests
    .filter(({ method, path }) => method === 'DELETE' && path.includes('/hooks/'))
    .map(({ status }) => status);
}

describe('webhooks of GitHub', () => {
  it('end with the integration, there and here', async () => {
    const { path, client } = await integrate(onefold.api, 'removed-integration');
    const { url } = await client.call('integrationWebhooks_list_webhooks', {});
    await onefold.api.call('integrations_delete', { path });
    const headers = { 'content-type': 'application/json' };
    // A gateway that has seen the token hears of its end after the response.
    const gone = await until(async () => {
      const response = await fetch(url, { method: 'POST', headers, body: '{}' });
      return response.status === 404 ? undefined : response;
    });
    expect(gone.status).toBe(401);
    expect(await gone.text()).toContain('revoked');
    expect(await until(() => deletions()[0])).toBe(204);
  });

  it('end with the account', async () => {
    const { path } = await integrate(onefold.api, 'removed-account');
    const before = deletions().length;
    await onefold.api.call('accounts_delete', { path: { accountId: path.accountId } });
    expect(await until(() => deletions()[before])).toBe(204);
  });

  it('end with the sub organization, also those of its integrations', async () => {
    const { id, api } = await createSubOrganization('removed-sub');
    await integrate(api, 'one');
    await integrate(api, 'other');
    const before = deletions().length;
    await onefold.api.call('subOrgs_delete', { path: { organizationId: id } });
    await until(() => deletions()[before + 1]);
    expect(deletions().slice(before)).toEqual([204, 204]);
  });

  it('stay where the provider refuses to delete them, which the audit trail says', async () => {
    const { path } = await integrate(onefold.api, 'refused-integration');
    await useWrongSecret(onefold.api, path);
    await onefold.api.call('integrations_delete', { path });
    const { response } = await alarmOf(`integration_id[eq]${path.integrationId}`);
    expect(response).toMatch(stays);
  });

  it('stay where the provider refuses, which the trail of the parent says of a sub organization that is gone', async () => {
    const { id, api } = await createSubOrganization('refused-sub');
    const { path } = await integrate(api, 'one');
    await useWrongSecret(api, path);
    await onefold.api.call('subOrgs_delete', { path: { organizationId: id } });
    const { response } = await alarmOf(`path[eq]/v1/suborgs/${id}`);
    expect(response).toMatch(stays);
  });
});
