import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, Receiver } from '#test/harness';
import type { Client } from './client.js';
import { type Onefold, sharedOnefold } from './onefold.js';

/** Debian's package prometheus-alertmanager has it. */
const program = process.env['ALERTMANAGER'] ?? 'prometheus-alertmanager';
const isThere = spawnSync(program, ['--version']).status === 0;
if (!isThere)
  process.stderr.write(`webhooks of Alertmanager are not tested: there is no ${program}\n`);

/** Alertmanager has no API for webhooks, and signs nothing. It sends the same body again while an alert lasts. */
const document = `
provider: ticketing_alertmanager
version: 1.0.0
fullname: Alertmanager
vendor: Prometheus
configuration:
  properties: { url: { type: string, format: uri } }
  required: [url]
http: { base_url: this.config.url }
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.fingerprint
        root.name = this.labels.alertname
        root.summary = this.labels.alertname
        root.status = this.status.state
        root.created_at = this.startsAt
        root.updated_at = this.updatedAt
  webhook:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        let alert = this.alerts.index(0)
        root.ticket_id = $alert.fingerprint
        root.event_type = if this.status == "firing" { "TicketCreated" } else { "TicketUpdated" }
        root.short_description = $alert.labels.alertname
        root.entity_date = $alert.startsAt
webhooks:
  events: [firing, resolved]
  instructions: 'Add a receiver with webhook_configs: [{url: "{url}"}] to alertmanager.yml.'
  id: 'null'
  mapping: webhook
operations:
  ticketing_query_tickets:
    response: ticket
    fields: { id: { type: string }, name: { type: string } }
    steps: [{ name: alerts, path: /api/v2/alerts }]
    rows: this.steps.alerts
`;

(isThere ? describe : describe.skip)('a real Alertmanager as the sender of webhooks', () => {
  let onefold: Pick<Onefold, 'api'>;
  let receiver: Receiver;
  let client: Client;
  let alertmanager: ChildProcess;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onefold-alertmanager-'));
    [onefold, receiver] = await Promise.all([sharedOnefold(), Receiver.start()]);
    const { api } = onefold;
    await api.call('customs_create', { body: { data: document } });
    const { account } = (await api.call('accounts_create', { body: { name: 'alerts' } })).result;
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const { token } = (
      await api.call('integrations_create', {
        path: { accountId: account.id },
        body: {
          provider_config: { type: 'ticketing_alertmanager', url },
          webhook_config: { items: [{ webhook_url: `${receiver.url}alerts` }] },
        } as never,
      })
    ).result;
    client = api.as(token.access.secret);
  }, 300_000);
  afterAll(async () => {
    alertmanager.kill('SIGTERM');
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is set up by the instructions, and its alerts arrive', async () => {
    const made = await client.call('integrationWebhooks_create_webhook', {
      body: { project: 'alerts' },
    });
    expect(made.result).toMatchObject({ enabled: true, value: '' });
    const { url: address, instructions } = await client.call(
      'integrationWebhooks_list_webhooks',
      {},
    );
    expect(instructions).toBe(
      `Add a receiver with webhook_configs: [{url: "${address}"}] to alertmanager.yml.`,
    );
    const [configs] = /webhook_configs: .*\]/.exec(instructions ?? '') ?? [];
    writeFileSync(
      join(folder, 'alertmanager.yml'),
      `route: {receiver: hook, group_by: [alertname], group_wait: 0s, group_interval: 1s}\nreceivers:\n- name: hook\n  ${configs ?? ''}\n`,
    );
    alertmanager = spawn(
      program,
      [
        `--config.file=${join(folder, 'alertmanager.yml')}`,
        `--storage.path=${join(folder, 'data')}`,
        `--web.listen-address=${new URL(url).host}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    );
    const alert = async (more: object = {}) => {
      const body = JSON.stringify([{ labels: { alertname: 'DiskFull' }, ...more }]);
      const headers = { 'content-type': 'application/json' };
      return await fetch(`${url}/api/v2/alerts`, { method: 'POST', headers, body }).catch(
        () => undefined,
      );
    };
    while (!(await alert())?.ok) await sleep(50);
    while (receiver.requests.length === 0) await sleep(20);
    const first = JSON.parse(receiver.requests[0]?.body ?? '') as Record<string, string>;
    const { result } = await client.call('ticketing_query_tickets', {});
    expect(first).toMatchObject({
      event_type: 'TicketCreated',
      ticket_id: result[0]?.id,
      short_description: 'DiskFull',
    });
    await alert({ endsAt: new Date(Date.now() - 1_000).toISOString() });
    const isResolved = ({ body }: { body: string }) =>
      (JSON.parse(body) as Record<string, string>)['event_type'] === 'TicketUpdated';
    while (!receiver.requests.some(isResolved)) await sleep(20);
  });
});
