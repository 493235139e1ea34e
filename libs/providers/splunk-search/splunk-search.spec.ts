import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadValidators } from '#contract';
import { OverFake } from '#test/harness';

const open = (config: Record<string, unknown> = {}) =>
  new OverFake(new URL('./', import.meta.url), 'siem_splunk', {
    config: { search_service_url: 'https://splunk.example:8089/services/', ...config },
    slot: 'search_service_credential',
    credential: ({ secret }) => ({ type: 'token', secret }),
    otherCredentials: ({ secret }) => ({ hec_credential: { type: 'token', secret } }),
  });
const siem = open();
const jobsPath = '/services/search/v2/jobs';
const paths = (of = siem) =>
  of.fake.log.requests.map(({ method, path }) => `${method} ${path.replace(/\d+\.\d+/, 'SID')}`);
/** The parameters of the jobs that were started. */
const jobs = (of = siem) =>
  of.fake.log.requests
    .filter(({ path }) => path === jobsPath)
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)) as Record<string, string>);
const answerWith = (status: number, body: object) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

beforeAll(() => loadValidators());
beforeEach(() => {
  siem.reset();
  siem.answer = undefined;
});

describe('a list', () => {
  it('is one search job, whose results are read in pages, and which is cancelled behind the last row', async () => {
    const first = await siem.call('siem_query_alerts', { query: { limit: 30 } });
    const { cursor } = first.body as { cursor: string };
    const second = await siem.call('siem_query_alerts', { query: { limit: 30, cursor } });
    expect([first.body['result'].length, second.body['result'].length]).toEqual([30, 10]);
    expect(second.body['cursor']).toBe('');
    expect(paths()).toEqual([
      `POST ${jobsPath}`,
      `GET ${jobsPath}/SID`,
      `POST ${jobsPath}/SID/results`,
      `POST ${jobsPath}/SID/results`,
      `POST ${jobsPath}/SID/control`,
    ]);
    expect(jobs()).toEqual([
      expect.objectContaining({
        search: 'search `notable` | head 10000',
        earliest_time: '0',
        auto_cancel: '300',
        output_mode: 'json',
      }),
    ]);
  });

  it('has its filters in the search, and times as bounds of the job', async () => {
    await siem.call('siem_query_events', {
      query: {
        filter: [
          'actor.user.name[in]ada,ben@example.com',
          'metadata.log_name[eq]stream:dns',
          'time[gte]2026-11-01T00:00:00Z',
          'time[lte]2026-11-20T00:00:00.5Z',
        ],
        order: 'time[asc]',
      },
    });
    expect(jobs()).toEqual([
      expect.objectContaining({
        search:
          'search index=* index!=notable | search (user="ada" OR user="ben@example.com" OR src_user="ada" OR src_user="ben@example.com" OR actor.user.name="ada" OR actor.user.name="ben@example.com") (sourcetype="stream:dns" OR metadata.log_name="stream:dns") | sort 10000 _time',
        earliest_time: '1793491200.000',
        latest_time: '1795132800.501',
      }),
    ]);
  });

  it('reads one event by its id', async () => {
    const { body } = await siem.call('siem_query_events', { query: { limit: 3 } });
    const { uid } = body['result'][1].metadata;
    const one = await siem.call('siem_query_events', {
      query: { filter: `metadata.uid[eq]${uid}` },
    });
    expect(one.body['result']).toEqual([body['result'][1]]);
  });

  it('says that the cursor has expired when Splunk has dropped the job', async () => {
    const first = await siem.call('siem_query_alerts', { query: { limit: 30 } });
    siem.answer = () => answerWith(404, { messages: [{ type: 'FATAL', text: 'Unknown sid.' }] });
    const { cursor } = first.body as { cursor: string };
    const { status, body } = await siem.call('siem_query_alerts', { query: { limit: 30, cursor } });
    expect([status, body['message']]).toEqual([
      400,
      expect.stringContaining('the cursor has expired'),
    ]);
  });

  it.each([
    ['has failed', { dispatchState: 'FAILED', isDone: true, isFailed: true }],
    ['was ended early', { dispatchState: 'DONE', isDone: true, isFinalized: true }],
  ])('ends with an error where the job %s', async (_what, content) => {
    const messages = [{ type: 'FATAL', text: 'the disk is full' }];
    siem.answer = (key) =>
      key.startsWith('GET')
        ? answerWith(200, { entry: [{ content: { ...content, messages } }] })
        : undefined;
    const { status, body } = await siem.call('siem_query_alerts', {});
    expect([status, body['message']]).toEqual([502, expect.stringContaining('the disk is full')]);
  });

  it('names the errors of search peers beside what was found', async () => {
    const content = { dispatchState: 'DONE', isDone: true, resultCount: 40 };
    const messages = [
      { type: 'ERROR', text: 'idx2 did not respond' },
      { type: 'INFO', text: 'read' },
    ];
    siem.answer = (key) =>
      key.startsWith('GET')
        ? answerWith(200, { entry: [{ content: { ...content, messages } }] })
        : undefined;
    const { status, body } = await siem.call('siem_query_alerts', {});
    expect([status, body['result'].length]).toEqual([200, 40]);
    expect(JSON.stringify(body['messages'])).toContain(
      'Splunk says of the search: idx2 did not respond',
    );
    expect(JSON.stringify(body['messages'])).not.toContain('read');
  });
});

describe('values of callers', () => {
  /** Search without the values in it: nothing else may differ between two values. */
  const shapeOf = (search: string) =>
    search
      .replaceAll(/"[A-Za-z0-9_.:@/-]+"/g, '"…"')
      .replaceAll(/urldecode\("(?:%[0-9A-F]{2})*"\)/g, '…');
  const shapes = new Set([
    'search index=* index!=notable | search (dvc="…" OR dest="…" OR host="…" OR device.hostname="…") | head 10000',
    "search index=* index!=notable | where ('dvc'=… OR 'dest'=… OR 'host'=… OR 'device.hostname'=…) | head 10000",
  ]);

  it('cannot end their place in a search, whatever they are', async () => {
    const hostile = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }),
      fc.constantFrom(
        'a" | delete | search "',
        'a\\" | outputlookup x',
        '`collect(index=main)`',
        '[search index=_audit | return user]',
        '*',
        "a' OR 'b",
        '%22',
        '") OR (index=_audit',
        '$token$',
      ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        siem.reset();
        const { status } = await siem.call('siem_query_events', {
          query: { filter: `device.hostname[eq]"${value}"`, limit: 1 },
        });
        const sent = jobs().map(({ search = '' }) => search);
        // A value that the grammar of filters does not take is refused before Splunk is called.
        expect(sent.length === 0 ? status : 200).toBe(sent.length === 0 ? 400 : status);
        expect(sent.filter((search) => !shapes.has(shapeOf(search)))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('find what they mean, though they are encoded', async () => {
    const odd = 'DOMAIN\\"ada" | [*]';
    const event = {
      class_name: 'Base Event',
      class_uid: 0,
      category_uid: 0,
      activity_id: 99,
      activity_name: 'test',
      type_uid: 99,
      severity_id: 1,
      time: siem.start.getTime(),
      message: 'odd',
      metadata: { version: '1.3.0', uid: odd, product: { name: 'Test', vendor_name: 'Acme' } },
    };
    const sending = open({ hec_url: 'https://hec.example:8088/services/collector', index: 'main' });
    await sending.call('siem_post_events', {
      body: [event, { ...event, metadata: { ...event.metadata, uid: 'b' } }],
    });
    const { body } = await sending.call('siem_query_events', {
      query: { filter: [`metadata.uid[eq]${odd}`] },
    });
    const [search = ''] = jobs(sending).map((one) => one['search'] ?? '');
    expect(search).not.toContain('DOMAIN');
    expect(shapeOf(search)).toBe(
      'search index="…" | eval onefold_uid=_bkt."…"._cd | ' +
        "where ('metadata.uid'=… OR 'onefold_uid'=…) | head 10000",
    );
    const found = body['result'] as { metadata: { uid: string } }[];
    expect(found.map(({ metadata }) => metadata.uid)).toEqual([odd]);
  });

  it.each(['x | delete', '`collect(main)`', '[search *]', 'a) OR (b', 'a" b', 'a\\b'])(
    'are refused as passthrough-param: %s',
    async (text) => {
      const { status, body } = await siem.call('siem_query_events', {
        query: { 'passthrough-param': ['index=cloud', text] },
      });
      expect([status, body['message'], paths()]).toEqual([
        400,
        expect.stringContaining('passthrough-param takes terms of a search'),
        [],
      ]);
    },
  );

  it('stand beside the filters as terms of a search', async () => {
    const { status } = await siem.call('siem_query_events', {
      query: { 'passthrough-param': ['sourcetype=aws:cloudtrail "203.0.113.77"'], limit: 1 },
    });
    expect(status).toBe(200);
    expect(jobs()[0]?.['search']).toBe(
      'search index=* index!=notable (sourcetype=aws:cloudtrail "203.0.113.77") | head 10000',
    );
  });
});

describe('findings and investigations', () => {
  it('are searched from the second on that the id of a finding names', async () => {
    const { body } = await siem.call('siem_query_alerts', { query: { limit: 1 } });
    const [{ finding_info, time }] = body['result'];
    siem.fake.log.requests.length = 0;
    const one = await siem.call('siem_get_alert', { path: { id: finding_info.uid } });
    expect(one.body['result'].finding_info.uid).toBe(finding_info.uid);
    expect(jobs()[0]?.['earliest_time']).toBe(`${Math.floor(time / 1000)}.000`);
    expect(paths().at(-1)).toBe(`POST ${jobsPath}/SID/control`);
  });

  it('are changed by the numbers of their statuses', async () => {
    const { body } = await siem.call('siem_query_investigations', { query: { limit: 1 } });
    const { id } = (body['result'] as { id: string }[])[0] ?? { id: '' };
    const changed = await siem.call('siem_patch_investigation', {
      path: { id },
      body: [
        { op: 'replace', path: '/custom_fields/status', value: 'In Progress' },
        { op: 'replace', path: '/custom_fields/owner', value: 'ada' },
      ],
    });
    expect(changed.body['result'].custom_fields).toMatchObject({
      status: 'In Progress',
      owner: 'ada',
    });
    const sent = siem.fake.log.requests.find(
      ({ method, path }) => method === 'POST' && path.endsWith(id),
    );
    expect(JSON.parse(sent?.body ?? '{}')).toEqual({ status: '2', owner: 'ada' });
  });

  it('send no events without the address of the collector', async () => {
    const { status, body } = await siem.call('siem_post_events', { body: [] });
    expect([status, body['message']].join(' ')).toMatch(/^(400|501) /);
  });
});
