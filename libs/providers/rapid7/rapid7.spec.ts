import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverSystem, Receiver } from '#test/harness';

const assets = '/vm/v4/integration/assets';
const known = '/vm/v4/integration/vulnerabilities';
const scan = '/vm/v4/integration/scan/s-1';
const end = [{ rel: 'self', href: 'https://us.api.insight.rapid7.com/x' }];

const asset = (id: string, ...same: string[]): Json => ({
  id,
  last_scan_end: '2026-01-02T00:00:00Z',
  same: same.map((vulnerability) => ({
    vulnerability_id: vulnerability,
    status: 'VULNERABLE_VERS',
    last_found: '2026-01-02T00:00:00Z',
  })),
});
const onward = (cursor: string) => [
  { rel: 'next', href: `https://us.api.insight.rapid7.com:443${assets}?page=1&cursor=${cursor}` },
];

interface Asked {
  path: string;
  query: URLSearchParams;
  body: string;
}

// Answers in the forms of the vendor's description and of its plug-in, which its fake does not have; values are our own.
describe('what InsightVM returns and its fake does not', () => {
  let receiver: Receiver;
  let rapid7: OverSystem;
  let answers: Record<string, unknown[]>;
  let statuses: Record<string, number>;
  let asked: Asked[];

  beforeAll(async () => {
    await loadValidators();
    receiver = await Receiver.start();
    rapid7 = new OverSystem(
      new URL('./', import.meta.url),
      'vulnerabilities_rapid7_insight_cloud',
      { url: `${receiver.url.replace(/\/$/, '')}/vm`, credential: { type: 'token', secret: 'k' } },
    );
  });
  beforeEach(() => {
    answers = { [known]: [{ data: [], links: end }] };
    statuses = {};
    asked = [];
    receiver.answer = ({ path, body }, response) => {
      const [place = '', query] = path.split('?');
      asked.push({ path: place, query: new URLSearchParams(query), body: body.toString() });
      const mine = answers[place] ?? [];
      response.writeHead(statuses[place] ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(mine.length > 1 ? mine.shift() : mine[0]));
    };
  });
  afterAll(async () => {
    await rapid7.close();
    await receiver.stop();
  });

  const read = async (
    what: 'query_findings' | 'query_assets' | 'get_scan_status',
    query: Json = {},
    path: Record<string, string> = {},
  ) => await rapid7.call(`vulnerabilities_${what}`, { path, query });
  const uids = async (): Promise<unknown[]> => {
    const { body } = await read('query_assets');
    return (body['result'] as { device: Json }[]).map(({ device }): unknown => device['uid']);
  };

  it('goes on by the cursor of the next link, where the metadata have none', async () => {
    answers[assets] = [
      { data: [asset('a')], metadata: { cursor: null }, links: onward('1%3A%3A%3A_S%3A%3A%3Aa') },
      { data: [asset('b')], metadata: { cursor: 'x' }, links: end },
    ];
    expect(await uids()).toEqual(['a', 'b']);
    expect(asked.map(({ query }) => [query.get('page'), query.get('cursor')])).toEqual([
      ['0', null],
      ['1', '1:::_S:::a'],
    ]);
  });

  it('goes on by the cursor of the metadata where there are no links, to an empty page', async () => {
    answers[assets] = [
      { data: [asset('a')], metadata: { cursor: '1' } },
      { data: [asset('b')], metadata: { cursor: '2' }, links: [] },
      { data: [], metadata: { cursor: '2' } },
    ];
    expect(await uids()).toEqual(['a', 'b']);
    expect(asked.map(({ query }) => query.get('cursor'))).toEqual([null, '1', '2']);
  });

  it('goes on by the number of the page where there is a next link and no cursor', async () => {
    answers[assets] = [
      { data: [asset('a')], links: [{ rel: 'next', href: 'https://x.example?page=1' }] },
      { data: [asset('b')], links: end },
    ];
    expect(await uids()).toEqual(['a', 'b']);
    expect(asked.map(({ query }) => query.get('page'))).toEqual(['0', '1']);
  });

  it.each([
    ['no filter', [], 'true', true, {}],
    ['open findings', ['state_id[eq]1'], 'true', false, {}],
    ['what was remediated', ['state_id[eq]4'], 'false', true, {}],
    [
      'critical and severe',
      ['severity_id[in]4,5'],
      'true',
      true,
      { vulnerability: "severity IN ['Severe', 'Critical']" },
    ],
    ['a severity without a word', ['severity_id[in]2,5'], 'true', true, {}],
    [
      'a time',
      ['time[gte]2026-01-01T00:00:00Z', 'time[lt]2026-03-01T00:00:00Z'],
      'true',
      true,
      {
        asset:
          "last_scan_end >= '2026-01-01T00:00:00Z' || last_assessed_for_vulnerabilities >= '2026-01-01T00:00:00Z'",
      },
    ],
  ])('asks for %s', async (_name, filter, same, isCompared, body) => {
    answers[assets] = [{ data: [], links: end }];
    expect(await read('query_findings', { filter })).toMatchObject({ status: 200 });
    const [first] = asked;
    expect(first?.query.get('includeSame')).toBe(same);
    expect(first?.query.has('comparisonTime')).toBe(isCompared);
    expect(JSON.parse(first?.body ?? '')).toEqual(body);
  });

  it('compares with the time of the filter, and without one with 30 days ago', async () => {
    answers[assets] = [{ data: [], links: end }];
    await read('query_findings', { filter: 'time[gte]2026-01-01T00:00:00Z' });
    await read('query_findings');
    const [given, own] = asked.map(({ query }) => query.get('comparisonTime') ?? '');
    expect(given).toBe('2026-01-01T00:00:00Z');
    expect(Math.round((Date.now() - Date.parse(own ?? '')) / 86_400_000)).toBe(30);
  });

  it('dates what was remediated by the comparison, so that a poll has it, and else by when it was last found', async () => {
    const remediated = ['2025-12-01T00:00:00Z', null, '2026-02-01T00:00:00Z'].map((at) => ({
      vulnerability_id: `v-${at}`,
      status: 'VULNERABLE_EXPL',
      last_found: at,
    }));
    answers[assets] = [{ data: [{ ...asset('a'), remediated }], links: end }];
    const { body } = await read('query_findings', { filter: 'time[gt]2026-01-01T00:00:00.500Z' });
    const found = body['result'] as Json[];
    expect(found.map((one) => new Date(one['time'] as number).toISOString())).toEqual([
      '2026-01-01T00:00:01.000Z',
      '2026-01-01T00:00:01.000Z',
      '2026-02-01T00:00:00.000Z',
    ]);
    expect(found.every(({ state }) => state === 'Resolved')).toBe(true);
  });

  it('asks for 50 vulnerabilities at once, each once', async () => {
    const ids = [...new Array(51).keys()].map((at) => `v-${at}`);
    answers[assets] = [{ data: [asset('a', ...ids), asset('b', ...ids)], links: end }];
    answers[known] = [{ data: [{ id: 'v-0', title: 'Zero', severity: 'severe' }], links: end }];
    const { body } = await read('query_findings', { limit: 200 });
    expect(body['result']).toHaveLength(102);
    expect((body['result'] as Json[])[0]).toMatchObject({
      severity: 'High',
      finding: { title: 'Zero' },
    });
    const asks = asked
      .filter(({ path }) => path === known)
      .map((one) => one.body.split(', ').length);
    expect(asks).toEqual([50, 1]);
  });

  it.each([403, 404])(
    'has findings without titles where vulnerabilities are a %d',
    async (code) => {
      answers[assets] = [{ data: [asset('a', 'v-1')], links: end }];
      answers[known] = [{ status: code, message: 'Access denied.' }];
      statuses[known] = code;
      const { status, body } = await read('query_findings');
      expect(status).toBe(200);
      expect(body['result']).toMatchObject([{ finding: { title: 'v-1' }, severity: 'Unknown' }]);
      expect(JSON.stringify(body['messages'])).toContain('Access denied.');
    },
  );

  it('does not find a scan that is an answer without an id', async () => {
    answers[scan] = [{ finished: null }];
    const { status } = await read('get_scan_status', {}, { scan_id: 's-1' });
    expect(status).toBe(404);
  });

  it.each([
    [401, { message: 'Unauthorized' }, 502],
    [
      400,
      { status: 400, localized_message: null, message: 'Your query string is not valid.' },
      400,
    ],
    [404, { status: 404, message: 'The requested resource does not exist.' }, 404],
    [500, { status: 500, message: 'An unexpected error occurred.' }, 502],
    [503, { status: 503, message: 'Service unavailable.' }, 503],
  ])('says why where InsightVM answers %d', async (code, answer, expected) => {
    answers[assets] = [answer];
    statuses[assets] = code;
    const { status, body } = await read('query_assets');
    expect(status).toBe(expected);
    expect(JSON.stringify(body)).toContain(answer.message);
  });

  it('is an error for an answer without a list, and no empty list', async () => {
    answers[assets] = [{ metadata: { totalResources: 2 } }];
    expect(await read('query_assets')).toMatchObject({ status: 502 });
  });
});
