import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { systemClock } from '#config';
import {
  AlarmMails,
  type LostMail,
  type MailOutcome,
  type MailServer,
  openMailServer,
} from '#mail';
import { QueueWorker } from '#queue';
import { Secret } from '#secrets';
import { openPool } from '#store';
import { eventually, freePort, TestMailServer } from '#test/harness';
import { integrate, type Made, service, useStatus } from './status-stage.js';

useStatus();

const from = 'Onefold <alarms@onefold.example>';
let mailbox: TestMailServer;
let server: MailServer | undefined;
let alarms: AlarmMails;
let pool: ReturnType<typeof openPool>;
let worker: QueueWorker;
let outcomes: MailOutcome[] = [];
let lost: LostMail[] = [];

/** Runs statements as the owner of the tables, whose connection ends before the service drops its database. */
async function asOwner<Row extends object>(...statements: string[]): Promise<Row[]> {
  const owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await owner.query<Row>(statement));
    return rows;
  } finally {
    await owner.end();
  }
}

/** Makes everything that was stored so much older, and what waits due so much earlier: the queue goes by the clock of the database. */
async function elapse(ms: number): Promise<void> {
  const by = `interval '${ms} milliseconds'`;
  await asOwner(
    `update alarm_mail_paces set next_at = next_at - ${by}, mailed_at = mailed_at - ${by}`,
    `update alarm_mails set created_at = created_at - ${by}`,
    `update graphile_worker._private_jobs set run_at = run_at - ${by}`,
  );
}

/** Opens what the worker opens, with a mail server or without. */
async function open(url: string | undefined): Promise<void> {
  server = await openMailServer({
    ...(url !== undefined && { smtpUrl: new Secret(url) }),
    smtpFrom: from,
    smtpTls: 'off',
  });
  await service.store.setMailSender(server?.from);
  alarms = new AlarmMails({
    store: service.store,
    clock: systemClock,
    server,
    consoleUrl: () => 'https://api.example.com/console',
    recordLost: async (_tx, one) => void lost.push(one),
    count: (outcome) => outcomes.push(outcome),
    gatherMs: 0,
  });
  worker = new QueueWorker({ pool, handlers: alarms.handlers, concurrency: 2 });
  worker.start();
}

async function close(): Promise<void> {
  await worker.stop();
  server?.close();
}

beforeAll(async () => {
  mailbox = await TestMailServer.start();
  pool = openPool({ url: service.databaseUrl, poolSize: 3 });
});
afterAll(async () => {
  await pool.end();
  await mailbox.stop();
});
beforeEach(async () => {
  mailbox.received.length = 0;
  mailbox.refuse = () => undefined;
  outcomes = [];
  lost = [];
  await elapse(24 * 3_600_000); // so that no mail of another case is too near
  await open(mailbox.url);
});
afterEach(async () => {
  await want(null);
  await close();
});

/** Sets who gets alarms of an organization. */
async function want(value: object | null, token?: string): Promise<void> {
  const patch = [{ op: 'add', path: '/options', value: { alarm_mails: value } }];
  const { status, message } = await service.call('PATCH', '/v1/organization', patch, token);
  expect([status, message]).toEqual([200, '']);
}

async function make(names: { account?: string; integration?: string; environment?: string } = {}) {
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {
    fullname: names.account ?? 'Acme',
    environment: names.environment ?? 'prod',
  });
  const accountId = result.account.id;
  const integrationId = await integrate(accountId);
  const changed = await service.call('PATCH', `/v1/integrations/${accountId}/${integrationId}`, [
    { op: 'replace', path: '/fullname', value: names.integration ?? 'Service desk' },
  ]);
  expect([changed.status, changed.message]).toEqual([200, '']);
  return { accountId, integrationId };
}

let batches = 0;
async function turn(made: readonly Made[], status: string, error?: string): Promise<void> {
  batches += 1;
  const { organizationId } = service.administrator;
  const counts = made.map((one) => ({ ...one, organizationId }));
  await service.store.addUsage({
    source: 'alarm mails',
    number: batches,
    counts: counts.map((one) => ({
      ...one,
      minute: Math.floor(Date.now() / 60_000) * 60_000,
      requests: 1,
      failed: 0,
      cpuTime: 0,
      dbOps: 0,
      apiOps: 1,
      inBytes: 0,
      outBytes: 0,
      jobRequests: 0,
    })),
    states: made.map(({ integrationId }) => ({
      integrationId,
      status,
      at: Date.now(),
      ...(error !== undefined && { error }),
    })),
  });
}

async function mails(count: number) {
  await alarms.wake();
  await eventually(() => expect(mailbox.received).toHaveLength(count));
  return mailbox.received.map(({ mail }) => mail);
}

/** Waits until nothing waits any more: neither changes nor mails. */
async function settle(): Promise<void> {
  await alarms.wake();
  await eventually(async () => {
    const rows = await asOwner<{ left: string }>(
      `select count(*) as left from graphile_worker.jobs where task_identifier like 'mail.%'`,
    );
    expect(rows).toEqual([{ left: '0' }]);
  });
}

describe('changes of states', () => {
  it('are mailed to each address once, many in one mail', async () => {
    await want({ addresses: ['ops@example.com', 'night@example.com'] });
    const made = [await make(), await make({ account: 'Beta' }), await make({ account: 'Gamma' })];
    await turn(made, 'healthy');
    await turn(made, 'credentials_refused', 'Mock refuses crd_1: Bad credentials');
    const [one, other] = await mails(2);
    const all = mailbox.received.flatMap(({ recipients }) => recipients);
    expect(all.toSorted()).toEqual(['night@example.com', 'ops@example.com']);
    expect(one?.subject).toBe('3 integrations not working');
    expect(one?.from).toEqual({ name: 'Onefold', address: 'alarms@onefold.example' });
    for (const { accountId, integrationId } of made)
      expect(one?.text).toContain(
        `https://api.example.com/console/integrations/${accountId}/${integrationId}\n`,
      );
    expect(one?.text?.match(/Mock refuses crd_1: Bad credentials/g)).toHaveLength(3);
    expect(other?.messageId).not.toBe(one?.messageId);
    await settle();
    expect(mailbox.received).toHaveLength(2);
    expect(outcomes).toEqual(['sent', 'sent']);
  });

  it('that follow a mail wait for the next one, which has all of them', async () => {
    await want({ addresses: ['ops@example.com'] });
    const made = await make();
    await turn([made], 'failing', 'no sense');
    await mails(1);
    for (const status of ['healthy', 'failing', 'healthy']) await turn([made], status);
    await alarms.wake();
    await settle();
    expect(mailbox.received).toHaveLength(1);
    await elapse(4 * 60_000);
    await settle();
    expect(mailbox.received).toHaveLength(1);
    await elapse(2 * 60_000);
    const [, second] = await mails(2);
    expect(second?.subject).toBe('“Service desk” of “Acme” works again');
    expect(second?.text).toContain('It changed 3 times.');
  });

  it('are those of the environments that are wanted, and of no other organization', async () => {
    const other = await service.organization('alarms-of-others');
    await want({ addresses: ['others@example.com'] }, other.access);
    await want({ addresses: ['ops@example.com'], environments: ['test'] });
    const made = [await make(), await make({ account: 'Tested', environment: 'test' })];
    await turn(made, 'unavailable');
    const [mail] = await mails(1);
    expect(mail?.subject).toBe('“Service desk” of “Tested”: the provider does not respond');
    await settle();
    expect(mailbox.received.map(({ recipients }) => recipients)).toEqual([['ops@example.com']]);
  });

  it('make no mail of a new integration that works, or of one that is gone', async () => {
    await want({ addresses: ['ops@example.com'] });
    const [fresh, gone] = [await make(), await make()];
    await turn([fresh], 'healthy');
    await turn([gone], 'failing');
    await service.call('DELETE', `/v1/accounts/${gone.accountId}`);
    await settle();
    expect(mailbox.received).toEqual([]);
  });

  it('keep to one line and one header, whatever a name or an error has in it', async () => {
    await want({ addresses: ['ops@example.com'] });
    const made = await make({ account: 'Ünïcode 株式会社 🚀', integration: 'Büro “Wien”' });
    await turn([made], 'failing', 'oops\r\nBcc: victim@example.com\r\n\r\n<b>x</b>\r\n.\r\nQUIT');
    const [mail] = await mails(1);
    expect(mail?.subject).toBe(
      '“Büro “Wien”” of “Ünïcode 株式会社 🚀”: the response of the provider is invalid, or a mapping fails on it',
    );
    expect(mail?.bcc).toBeUndefined();
    expect(mail?.html).toBeUndefined();
    expect(mail?.text).toContain(
      '  oops Bcc: victim@example.com <b>x</b> . QUIT\n  https://api.example.com/console/integrations/',
    );
    expect(mailbox.received[0]?.recipients).toEqual(['ops@example.com']);
    expect(mailbox.received[0]?.source).not.toMatch(/^Bcc:/m);
  });
});

describe('a mail that the server does not take', () => {
  it('is sent again, by another worker too, and says so', async () => {
    await close();
    const port = await freePort();
    await open(`smtp://127.0.0.1:${port}`);
    await want({ addresses: ['ops@example.com'] });
    await turn([await make()], 'failing');
    await alarms.wake();
    await eventually(() => expect(outcomes).toEqual(['put_off']));
    expect((await service.store.alarmMailBacklog()).waiting).toBe(1);
    await close();
    const late = await TestMailServer.start({ port });
    try {
      await open(`smtp://127.0.0.1:${port}`);
      await elapse(60_000);
      await eventually(() => expect(late.received).toHaveLength(1));
      await settle();
      expect(outcomes).toEqual(['put_off', 'sent']);
      expect((await service.store.alarmMailBacklog()).waiting).toBe(0);
    } finally {
      await late.stop();
    }
  });

  it('for good is given up, and the organization is shown why; other addresses get theirs', async () => {
    mailbox.refuse = (recipient) => (recipient === 'gone@example.com' ? 550 : undefined);
    await want({ addresses: ['gone@example.com', 'ops@example.com'] });
    await turn([await make()], 'failing');
    await mails(1);
    await settle();
    expect(outcomes.toSorted()).toEqual(['refused', 'sent']);
    expect(lost).toEqual([
      {
        recipient: 'gone@example.com',
        reason: expect.stringContaining('550 gone@example.com is not taken') as unknown,
      },
    ]);
  });

  it('for a day is given up', async () => {
    mailbox.refuse = () => 450;
    await want({ addresses: ['ops@example.com'] });
    await turn([await make()], 'failing');
    await alarms.wake();
    await eventually(() => expect(outcomes).toEqual(['put_off']));
    await elapse(25 * 3_600_000);
    await eventually(() => expect(outcomes).toEqual(['put_off', 'expired']));
    expect(lost).toHaveLength(1);
    await settle();
  });

  it('is not sent to an address that was taken out meanwhile', async () => {
    mailbox.refuse = () => 450;
    await want({ addresses: ['ops@example.com'] });
    await turn([await make()], 'failing');
    await alarms.wake();
    await eventually(() => expect(outcomes).toEqual(['put_off']));
    await want({ addresses: ['other@example.com'] });
    mailbox.refuse = () => undefined;
    await elapse(60_000);
    await eventually(() => expect(outcomes).toEqual(['put_off', 'unwanted']));
    expect(mailbox.received).toEqual([]);
  });
});

describe('without a mail server', () => {
  it('nothing waits, and the organization is told that none is sent', async () => {
    const sender = async () =>
      (await service.call<{ alarm_mail_from?: string }>('GET', '/v1/organization')).result
        .alarm_mail_from;
    expect(await sender()).toBe(from);
    await close();
    await open(undefined);
    expect(await sender()).toBeUndefined();
    await want({ addresses: ['ops@example.com'] });
    const made = await make();
    await turn([made], 'failing');
    await settle();
    expect(await service.store.alarmMailsDue(new Date(8.64e15))).toEqual([]);
    await close();
    await open(mailbox.url);
    await settle();
    expect(mailbox.received).toEqual([]);
  });

  it('what waited is dropped', async () => {
    mailbox.refuse = () => 450;
    await want({ addresses: ['ops@example.com'] });
    const made = await make();
    await turn([made], 'failing');
    await alarms.wake();
    await eventually(() => expect(outcomes).toEqual(['put_off']));
    await turn([made], 'healthy');
    await close();
    await open(undefined);
    expect((await service.store.alarmMailBacklog()).waiting).toBe(0);
    expect(await service.store.alarmMailsDue(new Date(8.64e15))).toEqual([]);
  });
});

describe('the addresses of an organization', () => {
  it.each([
    'nobody',
    'a@b',
    'Ops <ops@example.com>',
    'ops@example.com,other@example.com',
    'ops@example.com\r\nBcc: victim@example.com',
    '"quoted"@example.com',
    'ops@[127.0.0.1]',
    'bü@example.com',
    `${'x'.repeat(65)}@example.com`,
  ])('are not %j', async (address) => {
    const patch = [
      { op: 'add', path: '/options', value: { alarm_mails: { addresses: [address] } } },
    ];
    const answer = await service.call('PATCH', '/v1/organization', patch);
    expect(answer).toMatchObject({
      status: 400,
      message: expect.stringContaining('is not a mail address') as unknown,
      remediation: 'Write the address alone, such as alarms@example.com.',
    });
  });

  it('cannot say by themselves from where mails come', async () => {
    const patch = [{ op: 'add', path: '/alarm_mail_from', value: 'me@example.com' }];
    const answer = await service.call('PATCH', '/v1/organization', patch);
    expect([answer.status, answer.message]).toEqual([
      400,
      expect.stringContaining('alarm_mail_from is read-only'),
    ]);
  });
});
