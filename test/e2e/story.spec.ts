import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type OperationId, operations, type Result } from '#contract';
import { makeWorld, type World } from '#fakes';
import type { Client, Parts } from './client.js';
import { type Onefold, sharedOnefold } from './onefold.js';

// The compiled spec runs below dist.
const page = readFileSync(new URL('../../../docs/demo-story.md', import.meta.url), 'utf8');

/** The mocks of the story, by domain. */
const mocks = {
  siem: 'siem_elasticsearch_mock',
  edr: 'edr_crowdstrike_mock',
  identity: 'identity_okta_mock',
  vulnerabilities: 'vulnerabilities_crowdstrike_mock',
  ticketing: 'ticketing_mock_ticketing',
  chat: 'chat_microsoft_teams_mock',
  incidentresponse: 'incidentresponse_pagerduty_mock',
} as const;
type Domain = keyof typeof mocks;

let onefold: Pick<Onefold, 'api'>;
let api: Client;
let world: World;
let accountId: string;
const integrations = {} as Record<Domain, { id: string; client: Client }>;
/** The calls of the story in their order. */
const calls: { id: OperationId; domain: Domain; path: string }[] = [];

beforeAll(async () => {
  onefold = await sharedOnefold();
  api = onefold.api;
  accountId = (await api.call('accounts_create', { body: { name: 'story' } })).result.account.id;
  for (const [domain, type] of Object.entries(mocks)) {
    const { integration, token } = (
      await api.call('integrations_create', {
        path: { accountId },
        body: {
          name: domain,
          provider_config: {
            type,
            ...(type.endsWith('_mock') ? { dataset: 'basic_v0' } : {}),
          } as never,
        },
      })
    ).result;
    const client = api.as(token.access.secret);
    integrations[domain as Domain] = { id: integration.id, client };
  }
  world = makeWorld({ start: new Date(), dataset: 'BASIC' });
}, 300_000);

/** Calls an operation at the integration of its domain. @returns what a successful call returns, without any note about it */
async function run<Id extends OperationId>(id: Id, parts: Parts<Id> = {}): Promise<Result<Id>> {
  const domain = (operations.get(id)?.group ?? '') as Domain;
  const { client } = integrations[domain];
  calls.push({ id, domain, path: new URL(client.address(id, parts)).pathname });
  const result = await client.call(id, parts);
  expect([id, (result as { messages?: object } | undefined)?.messages]).toEqual([id, undefined]);
  return result;
}

/** A record of the world. */
function one<List extends 'people' | 'devices' | 'incidents' | 'conversations' | 'vulnerabilities'>(
  list: List,
  key: string,
): World[List][number] {
  const found = (world[list] as readonly World[List][number][]).find((each) => each.key === key);
  if (found === undefined) throw new Error(`the world has no ${key} in ${list}`);
  return found;
}

describe('the response to the attack', () => {
  let caseId = '';
  let evidence = '';
  let laptop = '';
  let userId = '';
  let ticketId = '';

  it('finds the incident in the SIEM: the events of the address, the case and its evidence', async () => {
    const attacker = world.indicators.find(({ key }) => key === 'ioc-0001')?.value ?? '';
    const { result: events } = await run('siem_query_events', {
      query: { filter: [`src_endpoint.ip[eq]${attacker}`] },
    });
    const expected = world.events.filter(({ ip, kind }) => ip === attacker && kind !== 'mail');
    expect(events.map(({ message }) => message)).toEqual(expected.map(({ message }) => message));
    expect(events.length).toBeGreaterThan(5);
    const { result: cases } = await run('siem_query_investigations', {
      query: { filter: ['custom_fields.severity[eq]critical'] },
    });
    const incident = one('incidents', 'inc-0008');
    expect(cases).toMatchObject([
      { custom_fields: { title: incident.title, alerts: incident.alerts.length } },
    ]);
    caseId = cases[0]?.id ?? '';
    const found = await run('siem_get_evidence', { path: { id: caseId } });
    evidence = JSON.stringify(found.result);
    for (const key of incident.alerts) expect(evidence).toContain(key);
  });

  it('quarantines the device with EDR', async () => {
    const device = one('devices', 'dev-0019');
    const { result: found } = await run('edr_query_endpoints', {
      query: { filter: [`device.hostname[eq]${device.hostname}`] },
    });
    expect(found).toMatchObject([
      { device: { ip: device.ip, mac: device.mac, network_status: 'Not Isolated' } },
    ]);
    laptop = found[0]?.device.uid ?? '';
    const { result: met } = await run('edr_network_quarantine', {
      body: { state: 'Disconnect', endpoint_ids: [laptop] },
    });
    expect(met).toEqual([laptop]);
    const { result: after } = await run('edr_get_endpoint', { path: { id: laptop } });
    expect(after).toMatchObject({ device: { network_status: 'Pending Isolation' } });
  });

  it('disables the user with identity', async () => {
    const victim = one('people', 'emp-0019');
    const { result: risky } = await run('identity_query_risky_users', {
      query: { filter: ['entity.user.risk_level[eq]High'] },
    });
    expect(risky).toMatchObject([
      { entity: { user: { email_addr: victim.mail, full_name: victim.display_name } } },
    ]);
    userId = String(risky[0]?.entity.uid);
    await run('identity_disable_user', { path: { userId } });
    await run('identity_expire_all_user_sessions', { path: { userId } });
    const { result: after } = await run('identity_get_user', { path: { userId } });
    expect(after).toMatchObject({ entity: { user: { user_status: 'Suspended' } } });
  });

  it('lists who else has the vulnerability open', async () => {
    const cve = 'CVE-2023-38831';
    const { result } = await run('vulnerabilities_query_findings', {
      query: { filter: [`finding.title[like]${cve}`, 'state_id[eq]1'], limit: 100 },
    });
    const open = world.findings
      .filter(({ vulnerability, state }) => vulnerability === cve && state === 'open')
      .map(({ device }) => one('devices', device).hostname);
    expect(result.map(({ device }) => device?.hostname).sort()).toEqual(open.sort());
    expect(open).toContain(one('devices', 'dev-0019').hostname);
  });

  it('opens a ticket, and reads the channel of the incident', async () => {
    const { result: ticket } = await run('ticketing_create_ticket', {
      body: { name: 'Incident 1208', summary: 'Incident 1208', project: 'ITS' },
    });
    expect(ticket).toMatchObject({ status: 'open', project: 'ITS' });
    ticketId = ticket.id;
    const conversation = one('conversations', 'con-0009');
    const { result: channels } = await run('chat_query_conversations', {
      query: { filter: [`conversation.name[eq]${conversation.name}`] },
    });
    const conversationId = String(channels[0]?.conversation?.uid);
    const { result: messages } = await run('chat_query_conversation_messages', {
      path: { conversationId },
    });
    const texts = messages.map((message) => message.chat_message?.message);
    const said = world.messages
      .filter(({ conversation: of }) => of === conversation.key)
      .map(({ text }) => text);
    expect(texts.sort()).toEqual([...said].sort());
  });

  it('finds who is on call, and attaches the evidence to the ticket', async () => {
    const { result: policies } = await run('incidentresponse_query_escalation_policies');
    const policy = policies.find(({ name }) => name === 'Security incidents');
    const { result: onCall } = await run('incidentresponse_query_escalation_policy_users_on_call', {
      path: { escalationPolicyId: policy?.uid ?? '' },
    });
    const leader = one('people', 'emp-0012');
    expect(onCall[0]).toMatchObject({ name: leader.display_name, email_addr: leader.mail });
    const path = { ticketId };
    const content = Buffer.from(evidence).toString('base64');
    await run('ticketing_create_attachment', {
      path,
      body: { file_name: 'evidence.json', content },
    });
    const { result: files } = await run('ticketing_list_attachments_metadata', { path });
    expect(files).toMatchObject([
      { file_name: 'evidence.json', file_size: Buffer.byteLength(evidence) },
    ]);
  });

  it('is in the audit trail with every change, and in the status with every call', async () => {
    const changes = calls
      .filter(({ id }) => operations.get(id)?.method !== 'GET')
      .map(({ path, domain }) => [path, integrations[domain].id]);
    expect(changes).toHaveLength(5);
    await eventually(async () => {
      const { result } = await api.call('audit_list', {
        query: { filter: [`account_id[eq]${accountId}`, 'method[eq]POST'], limit: 1_000 },
      });
      const connector = result.filter(({ path }) => !/^\/v1\/(accounts|integrations)/.test(path));
      expect(connector.map(({ path, integration_id: id }) => [path, id]).sort()).toEqual(
        changes.sort(),
      );
      expect(new Set(connector.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    });
    for (const [domain, { id: integrationId }] of Object.entries(integrations)) {
      const requests = calls.filter((call) => call.domain === domain).length;
      await eventually(async () => {
        const { result } = await api.call('status_get', { path: { accountId, integrationId } });
        expect([domain, result.status, result.requests, result.failed]).toEqual([
          domain,
          'healthy',
          requests,
          0,
        ]);
      });
    }
  });

  it('is told by the page in the same order', () => {
    expect(calls.map(({ id }) => id)).toEqual(operationsOfPage());
  });
});

/** The operations of the connector API that the commands of the page call. */
function operationsOfPage(): OperationId[] {
  const connector = [...operations.values()].filter(({ side }) => side === 'connector');
  return [...page.matchAll(/^.*\bcurl (.*?)"\$ONEFOLD(\/v1\/[^"?]*)/gm)].flatMap(
    ([, options = '', address = '']) => {
      const method = /-X (\w+)/.exec(options)?.[1] ?? (options.includes(' -d ') ? 'POST' : 'GET');
      return connector
        .filter((operation) => operation.method === method)
        .filter(({ path }) => {
          const form = path.replaceAll(/\{\w+\}/g, '\\$[A-Z]+');
          return new RegExp(`^${form}$`).test(address);
        })
        .map(({ id }) => id);
    },
  );
}
