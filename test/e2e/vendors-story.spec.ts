import { beforeAll, describe, expect, it } from '@jest/globals';
import { createOnefold, type Onefold as OnefoldClient } from '@onefold/client';
import { sharedOnefold } from './onefold.js';

/** A customer's systems by seven vendors' APIs, each played by its fake in the one made-up company. */
const systems = {
  sentinel: 'siem_sentinel_mock',
  defender: 'edr_defender_mock',
  directory: 'identity_google_mock',
  weaknesses: 'vulnerabilities_defender_mock',
  servicenow: 'ticketing_servicenow_mock',
  splunk: 'sink_splunk_mock',
  queue: 'sink_aws_sqs_mock',
} as const;
const laptop = 'ap-utr-l0019';

let at: Record<keyof typeof systems, OnefoldClient>;

beforeAll(async () => {
  const { api } = await sharedOnefold();
  const as = (token: string) => createOnefold({ url: api.url, token });
  const onefold = as(api.headers['authorization']?.replace('Bearer ', '') ?? '');
  const { result } = await onefold.accounts.create({ body: { name: 'vendors-story' } });
  at = {} as typeof at;
  for (const [name, type] of Object.entries(systems)) {
    const made = await onefold.integrations.create({
      accountId: result.account.id,
      body: { name, provider_config: { type, dataset: 'basic_v0' } as never },
    });
    at[name as keyof typeof systems] = as(made.result.token.access.secret);
  }
}, 300_000);

describe('one incident across the systems of a customer', () => {
  let alert: Record<string, unknown> & { finding_info: { title: string; uid: string } };
  let email: string;
  let endpointId: string;

  it('begins with an alert in Sentinel about a host and its user', async () => {
    const alerts = await at.sentinel.siem.queryAlerts({ limit: 100 }).toArray(1_000);
    const found = alerts.find((one) => JSON.stringify(one).includes('Encoded PowerShell command'));
    expect(found).toMatchObject({
      severity: 'High',
      resources: [{ name: laptop.toUpperCase() }],
      actor: { user: { email_addr: 'pieter.jansen@alderpoint.example' } },
    });
    alert = found as unknown as typeof alert;
    email = 'pieter.jansen@alderpoint.example';
  });

  it('finds the host in Defender, with the same alert and a known vulnerability, and isolates it', async () => {
    const hosts = await at.defender.edr.queryEndpoints({ limit: 100 }).toArray(1_000);
    const host = hosts.find(({ device }) => device.hostname?.startsWith(`${laptop}.`));
    endpointId = host?.device.uid ?? '';
    const own = await at.defender.edr.queryAlerts({ limit: 100 }).toArray(1_000);
    expect(JSON.stringify(own.filter((one) => JSON.stringify(one).includes(endpointId)))).toContain(
      alert.finding_info.title,
    );
    const findings = await at.weaknesses.vulnerabilities
      .queryFindings({ limit: 200 })
      .toArray(5_000);
    const open = findings.filter((one) => JSON.stringify(one).includes(laptop));
    expect(JSON.stringify(open)).toMatch(/CVE-\d{4}-\d+/);
    const { result } = await at.defender.edr.networkQuarantine({
      body: { state: 'Disconnect', endpoint_ids: [endpointId] },
    });
    expect(result).toEqual([endpointId]);
  });

  it('finds the owner in Google Workspace, and suspends the account', async () => {
    const { identity } = at.directory;
    const users = await identity.queryUsers({ limit: 100 }).toArray(1_000);
    const owner = users.find((one) => JSON.stringify(one.entity).includes(email));
    const userId = String((owner?.entity as { uid?: string } | undefined)?.uid);
    await identity.disableUser({ userId });
    const { result } = await identity.getUser({ userId });
    expect(JSON.stringify(result)).toContain(email);
    expect(JSON.stringify(result)).toMatch(/Disabled|Suspended|Deactivated/);
  });

  it('has an incident in ServiceNow with what was done', async () => {
    const { ticketing } = at.servicenow;
    const { result: made } = await ticketing.createTicket({
      body: {
        name: `${alert.finding_info.title} on ${laptop}`,
        description: `Alert ${alert.finding_info.uid} of Sentinel. The host is isolated, and ${email} is disabled.`,
        priority: 'CRITICAL',
      },
    });
    await ticketing.createNote({
      ticketId: made.id,
      body: { title: 'Response', content: `Defender isolated ${endpointId}.` },
    });
    const { result } = await ticketing.getTicket({ ticketId: made.id });
    expect(result).toMatchObject({
      priority: 'CRITICAL',
      name: `${alert.finding_info.title} on ${laptop}`,
    });
    const { result: notes } = await ticketing.listNotes({ ticketId: made.id });
    expect(notes).toMatchObject([{ content: `Defender isolated ${endpointId}.` }]);
  });

  it('is sent to Splunk and to a queue as the event that Sentinel had', async () => {
    for (const sink of [at.splunk, at.queue]) {
      const { result } = await sink.sink.postEvents({ body: [alert] as never });
      expect(result).toMatchObject([{ index: 0, stored: true, status: 200 }]);
    }
  });
});
