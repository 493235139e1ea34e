import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { makeWorld } from '#fakes';
import type { Json } from '#test/harness';
import { falcon, requests } from './falcon.fixture.js';

const edr = falcon('edr_crowdstrike');
const world = makeWorld({ start: edr.start, dataset: 'BASIC' });

beforeAll(() => loadValidators());
beforeEach(() => edr.reset());

const indicator = (pattern: string, more = {}) => ({
  type: 'indicator',
  spec_version: '2.1',
  pattern_type: 'stix',
  pattern,
  id: 'indicator--6f4a3d0e-2c1b-4f5e-9a8d-7c6b5a4f3e2d',
  created: '2026-11-21T12:00:00Z',
  modified: '2026-11-21T12:00:00Z',
  valid_from: '2026-11-21T12:00:00Z',
  ...more,
});

// "GET, POST, DELETE /v1/edr/iocs (create takes STIX input; delete takes ids in the query)"
describe('indicators of compromise', () => {
  it('are STIX patterns in both directions', async () => {
    const hash = 'ab'.repeat(32);
    const patterns = [
      "[ipv4-addr:value = '198.51.100.77']",
      "[domain-name:value = 'it\\'s.example']",
      `[file:hashes.'SHA-256' = '${hash}']`,
    ];
    const indicators = patterns.map((pattern, index) =>
      indicator(pattern, index === 2 ? { indicator_types: ['benign'], name: 'tool.exe' } : {}),
    );
    const { body } = await edr.call('edr_create_iocs', { body: { indicators } });
    const made = body['result'] as Json[];
    expect(made.map(({ pattern }) => pattern as string)).toEqual(patterns);
    expect(requests(edr).at(-1)?.body['indicators']).toMatchObject([
      { type: 'ipv4', value: '198.51.100.77', action: 'detect', applied_globally: true },
      { type: 'domain', value: "it's.example", severity: 'medium' },
      { type: 'sha256', value: hash, action: 'allow', metadata: { filename: 'tool.exe' } },
    ]);
    const ids = made.map(({ id }) => id as string);
    expect(await edr.all('edr_query_iocs')).toEqual(expect.arrayContaining(made));
    const deleted = await edr.call('edr_delete_iocs', { query: { ids: ids.join(',') } });
    expect([deleted.status, deleted.body['result']]).toEqual([200, ids]);
    const left = (await edr.all('edr_query_iocs')).map(({ id }) => id as string);
    expect(left.filter((id) => ids.includes(id))).toEqual([]);
  });

  it.each([
    ['a pattern of two', "[ipv4-addr:value = '198.51.100.7' OR domain-name:value = 'a.example']"],
    ['an address of the web', "[url:value = 'https://a.example/']"],
  ])('that Falcon does not support are a 400 before a call: %s', async (_what, pattern) => {
    const { status, body } = await edr.call('edr_create_iocs', {
      body: { indicators: [indicator(pattern)] },
    });
    expect([status, body['message']]).toEqual([400, expect.stringContaining(pattern)]);
    expect(requests(edr)).toEqual([]);
  });

  it('that do not exist are a 404', async () => {
    expect((await edr.call('edr_delete_iocs', { query: { ids: 'indicator--none' } })).status).toBe(
      404,
    );
  });
});

describe('indicators of attack', () => {
  it('are the rules of the company', async () => {
    const rules = await edr.all('edr_query_ioa');
    expect(rules.map(({ name }) => name as string).sort()).toEqual(
      world.detection_rules.map(({ name }) => name).sort(),
    );
  });

  it('have ids that are unique in the company, and not in their group alone', async () => {
    const rules = await edr.all('edr_query_ioa');
    const ids = rules.map(({ id }) => id as string);
    expect(new Set(rules.map(({ group_id }) => group_id as string)).size).toBeGreaterThan(1);
    expect(ids).toEqual([...new Set(ids)]);
    const gone = await edr.call('edr_delete_ioa', { query: { ids: ids[0] } });
    expect(gone.body['result']).toEqual([ids[0]]);
    expect(await edr.all('edr_query_ioa')).toHaveLength(rules.length - 1);
  });

  it('are created in a group, enabled, and deleted with it or without', async () => {
    const ioa = {
      name: 'Shell below an archiver',
      platform: 'windows',
      rule_type: 'process_creation',
      severity_id: 5,
      action: 'block',
      conditions: [
        { field: 'ImageFilename', operator: 'ends_with', values: ['\\7zFM.exe', '\\rar.exe'] },
      ],
    };
    const create = async () =>
      (await edr.call('edr_create_ioa', { body: { ioa } })).body['result'] as Json;
    const [first, second] = [await create(), await create()];
    expect(first).toMatchObject({
      name: ioa.name,
      platform: 'windows',
      rule_type: 'process_creation',
      severity_id: 5,
      action: 'block',
      enabled: true,
      group_name: 'Onefold windows',
      group_id: second['group_id'],
      conditions: [
        {
          field: 'ImageFilename',
          operator: 'matches',
          values: ['.*(\\\\7zFM\\.exe|\\\\rar\\.exe)'],
        },
      ],
    });
    const { id, group_id } = first;
    const gone = await edr.call('edr_delete_ioa', { query: { ids: id, group_id } });
    expect(gone.body['result']).toEqual([id]);
    expect((await edr.call('edr_delete_ioa', { query: { ids: id } })).status).toBe(404);
    const other = await edr.call('edr_delete_ioa', { query: { ids: second['id'] } });
    expect(other.body['result']).toEqual([second['id']]);
    const left = (await edr.all('edr_query_ioa')).map(({ name }) => name as string);
    expect(left).not.toContain(ioa.name);
  });
});
