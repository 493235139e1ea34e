import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, type RunningFake, startFake, TestMailServer } from '#test/harness';
import type { Client } from './client.js';
import { type Onefold, startDistributed } from './onefold.js';

// Alarms by mail of real processes: from the refusal of a provider to the mailbox, a minute later.

const gatheredMs = 100_000;

let onefold: Onefold;
let github: RunningFake;
let tickets: Client;
let port: number;
let mailbox: TestMailServer | undefined;
beforeAll(async () => {
  port = await freePort();
  github = await startFake('github');
  onefold = await startDistributed({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SMTP_FROM: 'Onefold <alarms@onefold.example>',
    SMTP_TLS: 'off',
    CONSOLE_URL: 'https://api.example.com/console/',
  });
}, 300_000);
afterAll(async () => {
  await onefold.stop();
  await github.stop();
  await mailbox?.stop();
});

async function until(holds: () => boolean, withinMs: number): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end;)
    if (holds()) return;
    else await new Promise((done) => setTimeout(done, 100));
  throw new Error('it did not happen in time');
}

describe('a provider that refuses a credential', () => {
  it('makes a mail, which survives a mail server that is down and a worker that is killed', async () => {
    const { api } = onefold;
    const { result } = await api.call('organization_patch', {
      body: [
        {
          op: 'add',
          path: '/options',
          value: { alarm_mails: { addresses: ['ops@example.com'], environments: ['prod'] } },
        },
      ],
    });
    // Management knows by the database what is a setting of the worker alone.
    expect(result.alarm_mail_from).toBe('Onefold <alarms@onefold.example>');
    const { account } = (
      await api.call('accounts_create', { body: { fullname: 'Acme', environment: 'prod' } })
    ).result;
    const config = {
      type: 'ticketing_github',
      repository: 'alderpoint/desk',
      url: github.url,
      credential: { type: 'token', secret: github.credentials.secret },
    };
    const { integration, token } = (
      await api.call('integrations_create', {
        path: { accountId: account.id },
        body: { fullname: 'Service desk', provider_config: config as never },
      })
    ).result;
    tickets = api.as(token.access.secret);
    github.engine.faults.add({ kind: 'status', status: 401, times: 10 });
    const refused = await tickets.send('ticketing_get_ticket', { path: { ticketId: '4136' } });
    expect(refused.status).not.toBe(200);

    const worker = onefold.processes['operations'];
    await worker?.says(/"message":"mail not sent"/, gatheredMs);
    expect(worker?.output()).toContain('ECONNREFUSED');
    await worker?.stop('SIGKILL');
    mailbox = await TestMailServer.start({ port });
    const another = onefold.startAnother?.('operations');
    if (another === undefined) throw new Error('the worker cannot be started');
    onefold.processes['another worker'] = another;
    await until(() => mailbox?.received.length === 1, gatheredMs);
    const [received] = mailbox.received;
    expect(received?.recipients).toEqual(['ops@example.com']);
    expect(received?.mail.subject).toBe(
      '“Service desk” of “Acme”: the provider refuses the credential',
    );
    expect(received?.mail.text).toMatch(/refuses crd_\w+/);
    expect(received?.mail.text).toContain(
      `https://api.example.com/console/integrations/${account.id}/${integration.id}\n`,
    );
    expect(received?.source).not.toContain(String(github.credentials.secret));
  }, 400_000);
});
