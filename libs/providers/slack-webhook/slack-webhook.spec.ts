import { beforeEach, expect, it } from '@jest/globals';
import { OverFake } from '#test/harness';

const create = 'notifications_create_message';
const body = { summary: 'Disk <sda> is full', priority: 'HIGH', tags: ['disk'] };

let webhook: OverFake;
let address: string;
const connect = (change = (secret: string) => secret, principal = 'security') =>
  new OverFake(new URL('./', import.meta.url), 'notifications_slack_webhook', {
    principal,
    credential: ({ secret = '' }) => {
      address = secret;
      return { type: 'secret', secret: change(secret) };
    },
    slot: 'webhook_url',
  });
beforeEach(() => {
  webhook = connect();
});

it('posts to the address that the secret is', async () => {
  const { result } = await webhook.succeed(create, { body });
  expect(result).toMatchObject({
    ...body,
    id: expect.stringMatching(/^webhook-/) as unknown,
    name: body.summary,
    notification_status: 'OPEN',
    created_at: '2026-11-22T00:00:00.000Z',
  });
  expect(webhook.requests()).toMatchObject([
    {
      method: 'POST',
      path: new URL(address).pathname,
      body: JSON.stringify({ text: '*Disk &lt;sda&gt; is full*\nPriority: HIGH · Tags: disk' }),
    },
  ]);
});

it('shows the address nowhere', async () => {
  const answer = await webhook.succeed(create, { body, meta: ['api/response(all)'] });
  const text = JSON.stringify(answer);
  expect(text).toContain('"url":"[secret]"');
  const { pathname } = new URL(address);
  expect(text).not.toContain(pathname);
  expect(text).not.toContain(pathname.split('/').at(-1));
});

it('has a reason for what it cannot do', async () => {
  const request = { path: { notificationId: 'webhook-1' } };
  for (const id of ['notifications_get_message', 'notifications_clear_message'] as const)
    await webhook.refuse(id, 501, request);
});

it('is tried without posting', async () => {
  expect((await webhook.verify()).status).toBe(200);
  expect(webhook.requests()).toMatchObject([{ method: 'POST', body: '{}' }]);
});

it.each([
  ['revoked', (secret: string) => secret.slice(0, -1), 'no_service'],
  ['at another host', () => 'https://hooks.example.com/services/T1/B1/x', 'begins with'],
  ['no address', () => 'not-an-address', 'begins with'],
])('refuses an address that is %s', async (_what, change, text) => {
  const wrong = connect(change);
  const { status, body: problem } = await wrong.verify();
  expect([status, JSON.stringify(problem)]).toEqual([
    expect.any(Number) as unknown,
    expect.stringContaining(text) as unknown,
  ]);
  expect(status).not.toBe(200);
});

it('names an archived channel', async () => {
  const archived = connect(undefined, 'archived');
  const problem = await archived.refuse(create, 409, { body });
  expect(problem['message']).toContain('channel_is_archived');
  expect((await archived.verify()).status).not.toBe(200);
});

it.each([
  [{ kind: 'status', status: 500 }, 502, 'rollup_error'],
  [{ kind: 'limited', seconds: 900 }, 429, 'Slack'],
  [{ kind: 'drift', alter: 'root = "later"' }, 502, 'later'],
])('tells %j', async (rule, status, text) => {
  const problem = await webhook.failing(create, rule, { body });
  expect(problem).toMatchObject({ status, message: expect.stringContaining(text) as unknown });
});
