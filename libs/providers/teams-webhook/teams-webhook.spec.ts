import { beforeEach, expect, it } from '@jest/globals';
import { OverFake } from '#test/harness';

const create = 'notifications_create_message';
const body = {
  summary: 'Disk *sda* is full',
  description: '**Now**',
  priority: 'HIGH',
  tags: ['disk'],
};
const host = 'https://default4f6f2a1be2e.09.environment.api.powerplatform.com';

let workflow: OverFake;
let address: string;
const connect = (change = (secret: string) => secret, principal = 'security', config = {}) =>
  new OverFake(new URL('./', import.meta.url), 'notifications_teams', {
    principal,
    config: { team_id: 't', channel_id: 'c', ...config },
    credential: ({ secret = '' }) => {
      address = secret;
      return { type: 'secret', secret: change(secret) };
    },
  });
beforeEach(() => {
  workflow = connect();
});

it('posts an Adaptive Card to the address that the secret is', async () => {
  const { result } = await workflow.succeed(create, { body });
  expect(result).toMatchObject({
    ...body,
    id: expect.stringMatching(/^workflow-/) as unknown,
    name: body.summary,
    notification_status: 'OPEN',
    created_at: '2026-11-22T00:00:00.000Z',
  });
  const [request] = workflow.requests();
  expect(request).toMatchObject({ method: 'POST', path: new URL(address).pathname });
  expect(JSON.parse(String(request?.body))).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [
            { type: 'RichTextBlock', inlines: [{ text: 'Disk *sda* is full' }] },
            { type: 'TextBlock', text: '**Now**', wrap: true },
            { type: 'RichTextBlock', inlines: [{ text: 'Priority: HIGH · Tags: disk' }] },
          ],
        },
      },
    ],
  });
});

it('shows neither the address nor its signature', async () => {
  const answer = await workflow.succeed(create, { body, meta: ['api/response(all)'] });
  const text = JSON.stringify(answer);
  const { pathname, searchParams } = new URL(address);
  expect(text).not.toContain(pathname);
  expect(text).not.toContain(searchParams.get('sig'));
});

it('is tried without a card, so that nothing is posted', async () => {
  expect((await workflow.verify()).status).toBe(200);
  expect(workflow.requests()).toMatchObject([
    { method: 'POST', body: '{"attachments":[],"type":"message"}' },
  ]);
});

it('refuses a message that Teams would refuse after the answer', async () => {
  const large = { ...body, description: 'ü'.repeat(14_000) };
  const problem = await workflow.refuse(create, 400, { body: large });
  expect(JSON.stringify(problem)).toContain('28 KB');
  expect(workflow.requests()).toEqual([]);
});

it.each([
  ['of another signature', (secret: string) => secret.slice(0, -1), 'Shared Access'],
  ['at another host', () => 'https://hooks.example.com/x?sig=1', 'begins with'],
  [
    'at a host that only ends alike',
    () => 'https://evil.example.com/.environment.api.powerplatform.com/',
    'begins with',
  ],
  [
    'of a retired workflow',
    () => 'https://prod-1.westus.logic.azure.com/workflows/1?sig=1',
    'begins with',
  ],
  ['no address', () => 'not-an-address', 'begins with'],
])('refuses an address %s', async (_what, change, text) => {
  const { status, body: problem } = await connect(change).verify();
  expect(status).not.toBe(200);
  expect(JSON.stringify(problem)).toContain(text);
});

it('takes an address at the configured endpoint alone', async () => {
  expect((await connect(undefined, undefined, { endpoint: host }).verify()).status).toBe(200);
  const elsewhere = connect(undefined, undefined, { endpoint: 'https://flow.example.com' });
  const { body: problem } = await elsewhere.verify();
  expect(JSON.stringify(problem)).toContain('https://flow.example.com');
});

it('names a workflow that is off', async () => {
  const off = connect(undefined, 'visitor');
  const problem = await off.refuse(create, 409, { body });
  expect(problem['message']).toContain('trigger is not enabled');
  expect((await off.verify()).status).not.toBe(200);
});

it.each([
  [{ kind: 'status', status: 500 }, 502, 'internal error'],
  [{ kind: 'limited', seconds: 900 }, 429, 'Teams'],
])('tells %j', async (rule, status, text) => {
  const problem = await workflow.failing(create, rule, { body });
  expect(problem).toMatchObject({ status, message: expect.stringContaining(text) as unknown });
});
