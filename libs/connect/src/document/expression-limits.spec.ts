import { describe, expect, it } from '@jest/globals';
import { MockAgent } from 'undici';
import { systemClock } from '#config';
import type { OperationId } from '#contract';
import { EgressPolicy } from '#egress';
import { type Limits, maxLimits } from '@onefold/mapping';
import { compileProvider } from '#provider-document';
import { ProviderHttp, Redactor } from '#provider-http';
import type { HttpCall } from './http-call.js';
import type { ProviderCall } from '../provider.js';
import { CallUsage, Usage } from '../usage/usage.js';
import { documentProvider } from './document-provider.js';

const limits: Limits = { ...maxLimits, fuel: 10_000 };
/** More steps than that, and far fewer than a run may take by default. */
const work = 'range(0, 20000).map_each(n -> n + 1).length()';

/** A document's expressions by their places, each of them cheap. */
const expressions = {
  'http.base_url': '"https://desk.test"',
  'http.headers': 'root.x = "1"',
  'credentials.credential.token.value': 'this.credential.secret',
  'steps.0.when': 'true',
  'steps.0.path': 'this.config.folder',
  'steps.0.query': 'root.limit = this.page.limit',
  'steps.0.body': 'root.a = 1',
  'steps.0.checks.0.that': 'this.status == 200',
  'steps.1.each': '[1]',
  'steps.2.poll.until': 'true',
  'page.count': 'this.body.rows.length()',
  'page.more': 'false',
  'verify.0.passes': 'true',
  rows: 'this.steps.call.rows.or([])',
};
type Place = keyof typeof expressions;

const templates = new Set<Place>(['http.headers', 'steps.0.query', 'steps.0.body']);

/** The document, with so much work in one of its expressions. */
function documentWith(slow: Place | undefined) {
  const at = (place: Place): string => {
    const text = expressions[place];
    if (place !== slow) return JSON.stringify(text);
    return JSON.stringify(
      templates.has(place) ? `let n = ${work}\n${text}` : `if ${work} > 0 { ${text} }`,
    );
  };
  return documentProvider(
    compileProvider(`
provider: custom_desk
version: 1.0.0
fullname: Desk
vendor: Tests
credentials:
  credential:
    token: { send: header, name: x-key, value: ${at('credentials.credential.token.value')} }
http:
  base_url: ${at('http.base_url')}
  headers: ${at('http.headers')}
verify:
  - { path: /me, needs: read, passes: ${at('verify.0.passes')} }
operations:
  custom_query:
    page: { kind: page, size: 4, count: ${at('page.count')}, more: ${at('page.more')} }
    steps:
      - name: call
        method: POST
        when: ${at('steps.0.when')}
        path: "/rows/{${JSON.parse(at('steps.0.path')) as string}}"
        query: ${at('steps.0.query')}
        body: ${at('steps.0.body')}
        checks: [{ that: ${at('steps.0.checks.0.that')}, status: 502, message: '"no"' }]
      - { name: every, path: /each, each: ${at('steps.1.each')} }
      - { name: wait, path: /wait, poll: { until: ${at('steps.2.poll.until')} } }
    rows: ${at('rows')}
`),
  );
}

function callWith(lower: Limits | undefined): HttpCall & ProviderCall {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get('https://desk.test')
    .intercept({ path: () => true, method: () => true })
    .reply(200, { rows: [{ id: 1 }] }, { headers: { 'content-type': 'application/json' } })
    .persist();
  const ids = { organizationId: 'org_1', accountId: 'acc_1' };
  return {
    http: new ProviderHttp({
      dispatcher: agent,
      policy: new EgressPolicy(),
      clock: systemClock,
      permits: { acquire: () => Promise.resolve(() => undefined) },
      tokens: { get: () => Promise.reject(new Error('no tokens here')) },
    }),
    clock: systemClock,
    path: {},
    query: {},
    pollUntil: Date.now() + 5_000,
    limits: lower,
    integration: { id: 'int_1', ...ids, providerConfig: { folder: 'open' } },
    credential: () => ({ id: 'crd_1', kind: 'token', config: { type: 'token', secret: 'k' } }),
    signal: new AbortController().signal,
    deadline: Date.now() + 5_000,
    usage: new CallUsage(new Usage(), { ...ids, integrationId: 'int_1' }),
    redactor: new Redactor(),
    onResponse: () => undefined,
    list: { filters: [], orders: [] },
  } as unknown as HttpCall & ProviderCall;
}

async function read(slow: Place | undefined, lower: Limits | undefined): Promise<unknown> {
  const provider = documentWith(slow);
  const call = callWith(lower);
  if (slow?.startsWith('verify')) return await provider.verify?.(call);
  const result = await provider.operations['custom_query' as OperationId]?.run(call, {});
  if (result === undefined || !('pages' in result)) throw new Error('the operation has no pages');
  return (await result.pages.read(undefined, 4)).rows;
}

describe('the budget of an integration', () => {
  it('lets a document run whose expressions are cheap', async () => {
    expect(await read(undefined, limits)).toEqual([{ id: 1 }]);
  });

  it.each(Object.keys(expressions) as Place[])('holds for %s', async (place) => {
    await expect(read(place, limits)).rejects.toMatchObject({
      status: 502,
      message: expect.stringMatching(
        /^the provider document failed at .*: the template takes more than 10000 steps$/,
      ),
    });
    await expect(read(place, undefined)).resolves.not.toThrow();
  });
});
