import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import { type Json, OverFake } from '#test/harness';
import { description } from './description.fixture.js';

const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });
const finding = 'v1_8_0.applicationsecurityposturefinding.ApplicationSecurityPostureFinding';
const classes = {
  appsec_query_applications: 'v1_8_0.applicationinventoryinfo.ApplicationInventoryInfo',
  appsec_query_findings: finding,
  appsec_query_application_findings: finding,
  appsec_get_application_finding_details: finding,
  appsec_query_application_scans: 'v1_8_0.scanactivity.ScanActivity',
};

let github: OverFake;
const connect = (principal = 'admin') =>
  new OverFake(new URL('./', import.meta.url), 'appsec_github', {
    principal,
    classes,
    description,
    config: { organization_slug: 'alderpoint', url: 'https://api.github.com' },
  });
beforeEach(() => {
  github = connect();
});

const kinds = { code: 'code-scanning', dependency: 'dependabot', secret: 'secret-scanning' };
/** Ids of the company's findings, kind by kind as GitHub lists them. */
const idsOf = (repository?: string): string[] =>
  Object.entries(kinds).flatMap(([kind, name]) =>
    world.code_findings
      .filter((one) => one.kind === kind)
      .map((one) => {
        const found = world.repositories.find(({ key }) => key === one.repository);
        return `${found?.name}:${name}:${one.number}`;
      })
      .filter((id) => repository === undefined || id.startsWith(`${repository}:`)),
  );
const ids = (records: Json[]): string[] =>
  records.map(({ finding_info: info }) => info.uid as string);

describe('applications', () => {
  it('are the repositories of the organization', async () => {
    const pages = await github.pages('appsec_query_applications', { limit: 1 });
    expect(pages.map((page) => page.length)).toEqual([1, 1]);
    expect(pages.flat()[0]).toMatchObject({
      application: {
        uid: 'instrument-cloud',
        name: 'alderpoint/instrument-cloud',
        desc: 'Web portal and API of connected instruments',
        type: 'private',
        src_url: 'https://github.com/alderpoint/instrument-cloud',
        labels: ['high-criticality'],
        owner: { name: 'alderpoint' },
      },
      unmapped: { language: 'TypeScript', default_branch: 'main' },
    });
    expect(github.requests().map(({ path, query }) => [path, query['page']])).toEqual([
      ['/orgs/alderpoint/repos', undefined],
      ['/orgs/alderpoint/repos', '2'],
    ]);
  });

  it.each([
    ['application.type[eq]private', 'private', ['instrument-cloud']],
    ['application.name[like]telemetry', 'all', ['telemetry-service']],
  ])('are filtered by %s, as here', async (filter, type, names) => {
    const found = await github.all('appsec_query_applications', { filter: [filter] });
    expect(found.map(({ application }) => application.uid as string)).toEqual(names);
    expect(github.requests()[0]?.query['type']).toBe(type);
  });
});

describe('findings', () => {
  it('are the alerts of all three kinds, each once over pages', async () => {
    for (const limit of [3, 100]) {
      const pages = await github.pages('appsec_query_findings', { limit });
      expect(ids(pages.flat()).sort()).toEqual(idsOf().sort());
    }
    const asked = github.requests().slice(-4);
    expect(asked.map(({ path, query }) => [path, query])).toEqual([
      ['/orgs/alderpoint/code-scanning/alerts', { per_page: '100', direction: 'asc' }],
      ['/orgs/alderpoint/dependabot/alerts', { per_page: '100', direction: 'asc' }],
      // An empty cursor, because GitHub would page this list by number otherwise.
      [
        '/orgs/alderpoint/secret-scanning/alerts',
        { per_page: '100', after: '', direction: 'asc', hide_secret: 'true' },
      ],
      [
        '/orgs/alderpoint/secret-scanning/alerts',
        expect.objectContaining({
          secret_type: expect.stringMatching(/^password,.*rsa_private_key$/) as unknown,
        }),
      ],
    ]);
  });

  it('are secrets of no vendor too, which GitHub lists for those who name their types', async () => {
    const alert = { number: 7, secret_type: 'password', secret_type_display_name: 'Password' };
    const times = { created_at: '2026-11-20T08:00:00Z', updated_at: '2026-11-20T08:00:00Z' };
    const generic = new OverFake(new URL('./', import.meta.url), 'appsec_github', {
      classes,
      config: { organization_slug: 'alderpoint', url: 'https://api.github.com' },
      before: ({ url }) => {
        const { pathname, searchParams: query } = new URL(url);
        if (!pathname.endsWith('/alerts')) return undefined;
        const rows = query.has('secret_type')
          ? [{ ...alert, ...times, state: 'open', repository: { name: 'a', full_name: 'o/a' } }]
          : [];
        const headers = { 'content-type': 'application/json' };
        return { status: 200, headers, body: Buffer.from(JSON.stringify(rows)) };
      },
    });
    const [found] = await generic.all('appsec_query_findings');
    expect(found).toMatchObject({
      finding_info: { uid: 'a:secret-scanning:7', title: 'Password', types: ['secret-scanning'] },
      severity: 'High',
    });
  });

  it('are followed by the number of the page where GitHub has no cursor', async () => {
    const asked: string[] = [];
    const numbered = new OverFake(new URL('./', import.meta.url), 'appsec_github', {
      classes,
      config: { organization_slug: 'alderpoint', url: 'https://api.github.com' },
      before: ({ url }) => {
        const { pathname, searchParams: query } = new URL(url);
        if (!pathname.endsWith('/dependabot/alerts')) return undefined;
        asked.push(`${query.get('page')} ${query.get('after')}`);
        const headers: Record<string, string> = { 'content-type': 'application/json' };
        if (!query.has('page')) headers['link'] = `<${url}&page=2>; rel="next"`;
        return { status: 200, headers, body: Buffer.from('[]') };
      },
    });
    await numbered.all('appsec_query_findings');
    expect(asked).toEqual(['null null', '2 null']);
  });

  it('have severity, state, place and CVE', async () => {
    const all = await github.all('appsec_query_findings');
    const of = (title: string) => all.find(({ finding_info: info }) => info.title === title);
    expect(of('Database query built from user-controlled sources')).toMatchObject({
      severity: 'High',
      status: 'New',
      application: { uid: 'instrument-cloud' },
      vulnerabilities: [
        {
          cwe: { uid: 'CWE-89' },
          affected_code: [{ file: { path: 'src/orders/search.ts' }, start_line: 88 }],
        },
      ],
      unmapped: { rule: { id: 'js/sql-injection' } },
    });
    expect(of('Use of a broken or weak cryptographic algorithm')).toMatchObject({
      severity: 'Medium',
      status: 'Suppressed',
      activity_name: 'Close',
    });
    const [dependency] = world.code_findings.filter(({ kind }) => kind === 'dependency');
    expect(of(dependency?.title ?? '')).toMatchObject({
      application: { uid: 'telemetry-service' },
      vulnerabilities: [
        {
          cve: { uid: dependency?.vulnerability },
          affected_packages: [
            { name: dependency?.package, fixed_in_version: dependency?.fixed_version },
          ],
        },
      ],
    });
    const secret = of('Access key of build-deploy');
    expect(secret).toMatchObject({
      severity: 'High',
      vulnerabilities: [{ cwe: { uid: 'CWE-798' } }],
    });
    expect(secret?.['unmapped']).not.toHaveProperty('secret');
  });

  it.each([
    ['status_id[eq]1', 'open', (one: Json) => one['status_id'] === 1],
    ['status_id[eq]4', undefined, (one: Json) => one['status_id'] === 4],
    ['severity_id[gte]5', undefined, (one: Json) => one['severity_id'] >= 5],
    [
      'application.uid[eq]telemetry-service',
      undefined,
      (one: Json) => one['application'].uid === 'telemetry-service',
    ],
    [
      'vulnerabilities.cve.uid[eq]CVE-2021-44228',
      undefined,
      (one: Json) => one['vulnerabilities'][0].cve?.uid === 'CVE-2021-44228',
    ],
  ])('are filtered by %s, as here', async (filter, state, passes) => {
    const all = await github.all('appsec_query_findings');
    github.requests();
    const found = await github.all('appsec_query_findings', { filter: [filter] });
    expect(found.length).toBeGreaterThan(0);
    expect(ids(found)).toEqual(ids(all.filter(passes)));
    expect(github.requests().map(({ query }) => query['state'])).toEqual(Array(4).fill(state));
  });

  it('of an application are those of its repository; a kind that is switched off has none', async () => {
    const list = 'appsec_query_application_findings';
    for (const applicationId of ['instrument-cloud', 'telemetry-service'])
      expect(ids(await github.all(list, {}, { applicationId })).sort()).toEqual(
        idsOf(applicationId).sort(),
      );
    await github.refuse(list, 404, { path: { applicationId: 'nothing' } });
  });

  it('of an application are on its pages once; those of code scanning are paged by number', async () => {
    const path = { applicationId: 'instrument-cloud' };
    const pages = await github.pages('appsec_query_application_findings', { limit: 1 }, path);
    const expected = idsOf('instrument-cloud');
    expect(ids(pages.flat()).sort()).toEqual(expected.sort());
    const asked = github.requests().filter((one) => one.path.endsWith('code-scanning/alerts'));
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.map(({ query }) => [query['page'], query['after']])).toEqual(
      asked.map((_one, index) => [index === 0 ? undefined : String(index + 1), undefined]),
    );
  });

  it('are read one by one as they are listed', async () => {
    const all = await github.all(
      'appsec_query_application_findings',
      {},
      { applicationId: 'instrument-cloud' },
    );
    const read = 'appsec_get_application_finding_details';
    for (const one of [all[0], all.at(-1)]) {
      const path = { applicationId: 'instrument-cloud', findingId: one?.['finding_info'].uid };
      expect((await github.succeed(read, { path }))['result']).toEqual(one);
    }
    expect(JSON.stringify(github.requests().at(-1)?.query)).toContain('hide_secret');
    for (const findingId of [
      'instrument-cloud:code-scanning:999',
      'x',
      'telemetry-service:dependabot:12',
    ])
      await github.refuse(read, 404, { path: { applicationId: 'instrument-cloud', findingId } });
  });
});

describe('scans', () => {
  it('are the analyses of code scanning', async () => {
    const list = 'appsec_query_application_scans';
    const path = { applicationId: 'instrument-cloud' };
    const pages = await github.pages(list, { limit: 2 }, path);
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
    expect(pages.flat()[0]).toMatchObject({
      activity_name: 'Completed',
      scan: { name: '/language:typescript' },
      num_detections: world.code_findings.filter(
        (one) => one.kind === 'code' && one.repository === 'rep-0001' && one.state === 'open',
      ).length,
      unmapped: { tool: { name: 'CodeQL' } },
    });
    expect(new Set(pages.flat().map(({ scan }) => scan.uid as string)).size).toBe(3);
  });
});

describe('failures', () => {
  it.each([
    [{ kind: 'status', status: 500 }, 502, 'Server Error'],
    [{ kind: 'garbage' }, 502, 'JSON'],
    [{ kind: 'limited', seconds: 900 }, 429, 'GitHub'],
    [{ kind: 'drift', alter: 'root = {"alerts": this}' }, 502, 'rows'],
  ])('%j is reported', async (rule, status, text) => {
    const problem = await github.failing('appsec_query_findings', rule);
    expect(problem).toMatchObject({ status, message: expect.stringContaining(text) as unknown });
  });

  it('of a licence leave the kinds of alerts that have one', async () => {
    const body = await github.failing('appsec_query_findings', { kind: 'unlicensed' });
    expect(body['status']).toBe(200);
    expect(JSON.stringify(body['messages'])).toContain('must be enabled');
  });

  it('of permission leave the kinds of alerts that may be read, and name it, as the verification does', async () => {
    const developer = connect('developer');
    const { status, body } = await developer.call('appsec_query_findings', {
      query: { limit: 100 },
    });
    expect([status, body['result'].length > 0]).toEqual([200, true]);
    const { problems } = body['messages'] as {
      problems: { message: string; remediation: string }[];
    };
    expect(problems.map(({ message }) => /orgs\/\w+\/([a-z-]+)/.exec(message)?.[1])).toEqual([
      'dependabot',
      'secret-scanning',
    ]);
    expect(problems[0]?.remediation).toContain('Dependabot alerts: read');
    expect(JSON.stringify((await developer.verify()).body)).toContain('Dependabot alerts: read');
    expect((await github.verify()).status).toBe(200);
  });
});
