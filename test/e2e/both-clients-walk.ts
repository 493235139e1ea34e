import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as client from '@onefold/client';
import { operations } from '#contract';
import type { Onefold } from './onefold.js';

const folder = fileURLToPath(new URL('../../../libs/client/python/', import.meta.url));

interface PlannedCall {
  token: string;
  group: string;
  method: string;
  values: Record<string, unknown>;
}
type Outcome = { result: unknown } | { error: string };

/** Runs calls with the Python client, and prints each outcome in a line. */
const program = `
import json, re, sys
from onefold_client import ApiError, ListCall, Onefold, WebhookRefused, verify_webhook
snake = lambda name: re.sub("[A-Z]", lambda one: "_" + one[0].lower(), name)
for line in sys.stdin:
    given = json.loads(line)
    if "webhook" in given:
        body, headers, secret, now = given["webhook"]
        try:
            print(json.dumps({"result": verify_webhook(body.encode(), headers, secret, now=now)}))
        except WebhookRefused:
            print(json.dumps({"error": "refused"}))
        continue
    onefold = Onefold(given["url"], given["token"], max_retries=0)
    values = {snake(name): value for name, value in given["values"].items()}
    try:
        answer = getattr(getattr(onefold, snake(given["group"])), snake(given["method"]))(**values)
        if isinstance(answer, ListCall):
            answer = {"page": answer.page(), "all": len(answer.to_list())}
        print(json.dumps({"result": answer}))
    except ApiError as error:
        print(json.dumps({"error": str(error)}))
`;
const { status: version } = spawnSync('python3', [
  '-c',
  'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)',
]);
if (version !== 0)
  console.warn('python3 of 3.11 or newer is missing: the Python client is not tested');
const withPython = version === 0 ? it : it.skip;

function runPython(lines: readonly object[]): unknown[] {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], {
    input: lines.map((line) => JSON.stringify(line)).join('\n'),
    env: { ...process.env, PYTHONPATH: folder },
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

async function runTypeScript(
  url: string,
  { token, group, method, values }: PlannedCall,
): Promise<Outcome> {
  const onefold = client.createOnefold({ url, token, maxRetries: 0 }) as unknown as Record<
    string,
    Record<string, (values: object) => unknown>
  >;
  try {
    const call = onefold[group]?.[method]?.(values);
    if (!(call instanceof client.ListCall)) return { result: (await call) ?? null };
    return { result: { page: await call, all: (await call.toArray()).length } };
  } catch (error) {
    if (error instanceof client.ApiError) return { error: error.message };
    throw error;
  }
}

/** Cursors are sealed, so that no two are the same, and records without a time have that of the call. */
function comparable(outcome: unknown, begun: number): unknown {
  return JSON.parse(
    JSON.stringify(outcome, (name, value: unknown) => {
      if (name === 'cursor' && value !== '') return 'cursor';
      const time = typeof value === 'string' ? Date.parse(value) : value;
      return typeof time === 'number' && time >= begun && time <= Date.now() ? 'now' : value;
    }),
  );
}

/** Tests that the clients for TypeScript and Python return the same. */
export function bothClientsWalk(onefold: () => Pick<Onefold, 'api'>): void {
  const begun = Date.now();
  let url: string;
  let calls: PlannedCall[];

  beforeAll(async () => {
    const { api } = onefold();
    ({ url } = api);
    const token = api.headers['authorization']?.replace('Bearer ', '') ?? '';
    const management = client.createOnefold({ url, token });
    const { result } = await management.accounts.create({ body: { name: 'both-clients' } });
    const accountId = result.account.id;
    const { result: providers } = await management.capabilities.listProviders();
    const mocks = new Map<string, string>();
    for (const { name } of providers as unknown as { name: string }[]) {
      const [domain = ''] = name.split('_');
      if (name.includes('_mock') && !mocks.has(domain)) mocks.set(domain, name);
    }
    calls = [
      { token, group: 'accounts', method: 'get', values: { accountId } },
      { token, group: 'accounts', method: 'list', values: { filter: ['name[eq]both-clients'] } },
      { token, group: 'accounts', method: 'get', values: { accountId: 'nowhere' } },
      { token, group: 'accounts', method: 'list', values: { order: ['size'], limit: 5 } },
      { token: 'ofo_wrong', group: 'accounts', method: 'list', values: {} },
      { token, group: 'roles', method: 'list', values: { limit: 1 } },
      { token, group: 'capabilities', method: 'listConnectors', values: {} },
    ];
    for (const [domain, type] of mocks) {
      const made = await management.integrations
        .create({ accountId, body: { provider_config: { type, dataset: 'basic_v0' } as never } })
        .catch(() => undefined); // some need more than a dataset
      if (made === undefined) continue;
      const lines = client[domain as 'ticketing'] as unknown as Record<string, string>;
      for (const [method, line] of Object.entries(lines)) {
        const [id = '', verb, path = ''] = line.split(' ');
        if (verb !== 'GET' || path.includes('{')) continue;
        const { query } = operations.get(id as never) ?? {};
        const values = { ...(query?.['limit'] ? { limit: 40 } : {}) };
        calls.push({ token: made.result.token.access.secret, group: domain, method, values });
      }
    }
  }, 300_000);

  describe('the two clients', () => {
    withPython(
      'return the same for the same calls, refusals too',
      async () => {
        expect(calls.length).toBeGreaterThanOrEqual(50);
        const mine: Outcome[] = [];
        for (const call of calls) mine.push(await runTypeScript(url, call));
        const theirs = runPython(calls.map((call) => ({ ...call, url })));
        for (const [index, { group, method }] of calls.entries())
          expect([group, method, comparable(theirs[index], begun)]).toEqual([
            group,
            method,
            comparable(mine[index], begun),
          ]);
        expect(mine.filter((one) => 'error' in one).length).toBeGreaterThanOrEqual(3);
      },
      300_000,
    );

    withPython(
      'write the same, and accept the same webhooks',
      async () => {
        const { api } = onefold();
        const token = api.headers['authorization']?.replace('Bearer ', '') ?? '';
        const [made, patched, gone] = runPython([
          {
            url,
            token,
            group: 'accounts',
            method: 'create',
            values: { body: { name: 'by-python' } },
          },
          {
            url,
            token,
            group: 'accounts',
            method: 'patch',
            values: {
              accountId: 'by-python',
              body: [{ op: 'replace', path: '/fullname', value: 'Zürich "1"' }],
            },
          },
          { url, token, group: 'accounts', method: 'delete', values: { accountId: 'by-python' } },
        ]);
        expect(made).toMatchObject({ result: { result: { account: { name: 'by-python' } } } });
        expect(patched).toMatchObject({
          result: { result: { fullname: 'Zürich "1"' } },
        });
        expect(gone).toEqual({ result: null });

        const body = '{"event":"test","text":"Zürich"}';
        const { createHmac } = await import('node:crypto');
        const signature = createHmac('sha256', 'secret').update(`e.1000.${body}`).digest('base64');
        const headers = {
          'Webhook-Id': 'e',
          'webhook-timestamp': '1000',
          'webhook-signature': `v1,${signature}`,
        };
        const outcomes = runPython([
          { webhook: [body, headers, ['other', 'secret'], 1_100] },
          { webhook: [body, headers, 'other', 1_100] },
          { webhook: [body, headers, 'secret', 1_301] },
          { webhook: [body, { ...headers, 'webhook-timestamp': 'x' }, 'secret', 1_100] },
        ]);
        const refused = { error: 'refused' };
        expect(outcomes).toEqual([{ result: ['e', JSON.parse(body)] }, refused, refused, refused]);
      },
      120_000,
    );
  });
}
