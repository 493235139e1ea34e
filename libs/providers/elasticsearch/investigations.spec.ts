import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { makeWorld } from '#fakes';
import { bodiesOf, connectElasticsearch } from './elasticsearch.fixture.js';

const siem = connectElasticsearch('siem_elasticsearch');
const world = makeWorld({ start: siem.start, dataset: 'BASIC' });
const story = world.incidents.find(({ key }) => key === 'inc-0008');

beforeAll(() => loadValidators());
beforeEach(() => siem.reset());

it('the alerts are those of the company', async () => {
  const alerts = await siem.all('siem_query_alerts');
  const titles = alerts.map(({ finding_info }) => finding_info.title as string);
  expect(titles.sort()).toEqual(world.alerts.map(({ title }) => title).sort());
});

it('an alert is read by its uid, and one that does not exist is a 404', async () => {
  const alerts = await siem.all('siem_query_alerts', {
    filter: 'device.hostname[eq]AP-UTR-L0019',
    order: 'time[desc]',
  });
  const [newest] = alerts;
  expect(newest).toMatchObject({ actor: { user: { name: 'pieter.jansen' } } });
  const id = newest?.['finding_info'].uid as string;
  const { body } = await siem.call('siem_get_alert', { path: { id } });
  expect(body['result']).toEqual(newest);
  const missing = await siem.call('siem_get_alert', { path: { id: 'none' } });
  expect(missing).toMatchObject({ status: 404, body: { message: 'there is no alert none' } });
});

describe('investigations', () => {
  const query = { filter: 'custom_fields.severity[eq]critical' };

  it('are the cases of Kibana, page by page', async () => {
    const pages = await siem.pages('siem_query_investigations', { limit: 3 });
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(pages.flat().map(({ custom_fields }) => custom_fields.title as string)).toEqual(
      world.incidents.map(({ title }) => title),
    );
    const orders = ['asc', 'desc'].map(async (direction) =>
      (
        await siem.all('siem_query_investigations', {
          order: `custom_fields.updated_at[${direction}]`,
        })
      ).map(({ custom_fields }) => custom_fields.updated_at as string),
    );
    const [up = [], down = []] = await Promise.all(orders);
    expect(up).toEqual([...up].sort());
    expect(down).toEqual([...up].reverse());
  });

  // Contract: "Investigation: id*, custom_fields?, raw_data*. Evidence: investigation_id*, raw_data*."
  it('have the record of Kibana as text, and evidence with alerts and comments', async () => {
    const [found] = await siem.all('siem_query_investigations', query);
    const id = found?.['id'] as string;
    expect(JSON.parse(found?.['raw_data'] as string)).toMatchObject({ id, title: story?.title });
    const { body } = await siem.call('siem_get_evidence', { path: { id } });
    const { investigation_id, raw_data } = body['result'] as Record<string, string>;
    expect(investigation_id).toBe(id);
    const evidence = JSON.parse(raw_data ?? '') as { alerts: unknown[]; comments: unknown[] };
    expect(evidence.alerts).toHaveLength(story?.alerts.length ?? -1);
    expect(evidence.comments[0]).toMatchObject({
      comment: 'Indicators and the timeline are attached.',
    });
  });

  it('have evidence without alerts, and say so, where the indices may not be read', async () => {
    const [found] = await siem.all('siem_query_investigations', query);
    const reason = 'action [indices:data/read/search] is unauthorized for API key';
    const error = { type: 'security_exception', reason };
    siem.answer = (key) =>
      key.startsWith('POST') && key.includes('/_search')
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(
              JSON.stringify({ error: { root_cause: [error], ...error }, status: 403 }),
            ),
          }
        : undefined;
    const { result, messages } = await siem.succeed('siem_get_evidence', {
      path: { id: found?.['id'] as string },
    });
    siem.answer = undefined;
    const evidence = JSON.parse(result.raw_data as string) as Record<string, unknown[]>;
    expect([evidence['alerts']?.length, evidence['comments']?.length]).toEqual([0, 2]);
    expect(messages.problems).toEqual([
      expect.objectContaining({
        instance: 'part-left-out',
        message: expect.stringContaining('is unauthorized') as unknown,
      }),
    ]);
  });

  it('are changed in what the patch names, at the version that was read', async () => {
    const [found] = await siem.all('siem_query_investigations', query);
    const path = { id: found?.['id'] as string };
    const { body } = await siem.call('siem_patch_investigation', {
      path,
      body: [{ op: 'replace', path: '/custom_fields/status', value: 'closed' }],
    });
    expect(body['result'].custom_fields).toEqual({
      ...found?.['custom_fields'],
      status: 'closed',
      closed_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const [change] = bodiesOf(siem, '/api/cases');
    expect(change).toEqual({
      cases: [{ id: path.id, version: expect.any(String), status: 'closed' }],
    });
    const refused = await siem.call('siem_patch_investigation', {
      path,
      body: [{ op: 'replace', path: '/raw_data', value: '{}' }],
    });
    expect(refused.status).toBe(400);
  });

  it('keep what two callers change at the same time', async () => {
    const [found] = await siem.all('siem_query_investigations', query);
    const path = { id: found?.['id'] as string };
    const change = async (field: string, value: string) =>
      await siem.call('siem_patch_investigation', {
        path,
        body: [{ op: 'replace', path: `/custom_fields/${field}`, value }],
      });
    const answers = await Promise.all([change('status', 'closed'), change('severity', 'low')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await siem.call('siem_get_investigation', { path });
    expect(body['result'].custom_fields).toMatchObject({ status: 'closed', severity: 'low' });
    // The second one was refused, and read the case again.
    expect(bodiesOf(siem, '/api/cases')).toHaveLength(3);
  });

  it('are missing without Kibana, and the answer says what to configure', async () => {
    const alone = connectElasticsearch('siem_elasticsearch', { config: { kibana_url: undefined } });
    const { status, body } = await alone.call('siem_query_investigations');
    expect(status).toBe(501);
    expect(body['message']).toContain('set provider_config.kibana_url');
  });
});
