import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dumpDatabase } from './dump-database.js';
import { newFolder, type Onefold } from './onefold.js';
import { type Running, startApp } from './processes.js';

/** Credentials whose secrets an agent keeps, and a host that shows what it was sent. */
export function bridgeSecretsWalk(onefold: () => Onefold): void {
  const canary = `canary-${randomUUID()}`;
  const got: (string | undefined)[] = [];
  let host: Server;
  let origin: string;
  let agent: Running | undefined;
  let accountId: string;
  let bridgeId: string;

  beforeAll(async () => {
    host = createServer((incoming, response) => {
      const { authorization = '' } = incoming.headers;
      got.push(authorization);
      response.setHeader('content-type', 'application/json');
      response.setHeader('x-echo', authorization);
      const name = `echo ${authorization}`;
      response.end(JSON.stringify({ data: { teams: { nodes: [{ id: 't1', name, key: 'T' }] } } }));
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const { api } = onefold();
    accountId = (await api.call('accounts_create', { body: {} })).result.account.id;
    const made = await api.call('bridges_create', { path: { accountId }, body: {} });
    bridgeId = made.result.bridge.id;
    const folder = newFolder();
    const file = join(folder, 'bridge-agent.json');
    writeFileSync(join(folder, 'secret'), `${canary}\n`);
    const fields = { secret: { file: 'secret' } };
    const secrets = [
      { name: 'linear-prod', origins: [origin], fields },
      { name: 'elsewhere', origins: ['https://jira.internal'], fields },
    ];
    const allow = [{ origin, methods: ['GET', 'POST'] }];
    const settings = { server: api.url, key_file: 'agent.key', allow, secrets };
    writeFileSync(file, JSON.stringify(settings));
    agent = startApp('bridge-agent', [file], { BRIDGE_CREDENTIAL: made.result.credential });
    await agent.says(/"message":"connected"/);
  });
  afterAll(async () => {
    await agent?.stop('SIGKILL');
    host.closeAllConnections();
    host.close();
  });

  /** The body of an integration whose credential is the secret of this name. */
  async function bodyOf(name: string) {
    const config = { type: 'bridge', name } as never;
    const body = { config };
    const made = await onefold().api.call('credentials_create', {
      path: { ownerId: accountId },
      body,
    });
    const credential = { type: 'token_id', value: made.result.id };
    return { provider_config: { type: 'ticketing_linear', url: origin, credential } as never };
  }

  async function behind(name: string) {
    const { api } = onefold();
    const bridge_selector = { type: 'id', value: bridgeId } as never;
    const body = { ...(await bodyOf(name)), bridge_selector };
    const made = await api.call('integrations_create', { path: { accountId }, body });
    return api.as(made.result.token.access.secret);
  }

  it('keeps secrets at home: the host gets them, and the service gets a mask', async () => {
    const { api, processes, env } = onefold();
    const tickets = await behind('linear-prod');
    const answer = await tickets.send('ticketing_list_projects', {
      query: { meta: ['api/response(primary)'] },
    });
    expect(got).toContain(canary);
    expect(answer.text).toContain('*'.repeat(canary.length));
    expect(answer.text).not.toContain(canary);
    const status = await api.call('bridges_get_status', { path: { accountId, bridgeId } });
    expect(status.result[0]?.local_config.vault).toEqual({
      'linear-prod': origin,
      elsewhere: 'https://jira.internal',
    });
    for (const one of Object.values(processes)) expect(one.output()).not.toContain(canary);
    if (env?.['DATABASE_URL'] === undefined) return;
    const dump = (await dumpDatabase(env['DATABASE_URL'])).join('\n');
    expect(dump).toContain('linear-prod'); // what an agent tells of itself
    expect(dump).not.toContain(canary);
  });

  it('needs a bridge group for them, whose agents have the secret for this host', async () => {
    const { api } = onefold();
    const body = await bodyOf('linear-prod');
    const without = await api.refuse('integrations_create', 400, { path: { accountId }, body });
    expect(without.message).toContain('/bridge_selector: is required');
    for (const [name, message] of [
      ['unknown', /has no secret "unknown"/],
      ['elsewhere', /does not send the secret "elsewhere" to http:/],
    ] as const) {
      const problem = await (await behind(name)).refuse('ticketing_list_projects', 502);
      expect(problem.message).toMatch(message);
      expect(problem.remediation).toContain('its name, its fields and its origins');
    }
  });
}
