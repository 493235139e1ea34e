import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { OverFake } from '#test/harness';

const siem = new OverFake(new URL('./', import.meta.url), 'siem_google_security_operations', {
  config: {
    customer_id: '6f1b2c3d-0a4e-4b5f-8c6d-7e8f90a1b2c3',
    project_id: 'alderpoint-secops',
  },
  credential: ({ client }) => ({
    type: 'o_auth_client',
    client_id: client?.id,
    client_secret: client?.secret,
  }),
});

beforeAll(() => loadValidators());
beforeEach(() => siem.reset());

const idsOf = (rows: readonly { metadata: { uid: string } }[]) =>
  rows.map(({ metadata }) => metadata.uid);

describe('a search, which has no pages,', () => {
  it('is made again for each page, and every event comes once', async () => {
    const whole = idsOf((await siem.all('siem_query_events', { limit: 1000 })) as never);
    const paged = idsOf((await siem.all('siem_query_events', { limit: 90 })) as never);
    expect(paged).toHaveLength(new Set(paged).size);
    expect(paged.toSorted()).toEqual(whole.toSorted());
    expect(paged.length).toBeGreaterThan(590); // more than one search finds at this limit
  });

  it('that leaves out newer events than it gives is refused, and no event is lost', async () => {
    siem.fake.faults.add({
      kind: 'drift',
      match: ':udmSearch',
      alter: 'root.events = this.events.sort_by(e -> e.udm.metadata.eventTimestamp)',
    });
    const { status, body } = await siem.call('siem_query_events', { query: { limit: 90 } });
    expect({ status, message: body['message'] as string }).toEqual({
      status: 502,
      message: expect.stringContaining('does not give the newest ones') as unknown,
    });
  });

  it.each([
    ['in the order of time are read', 'part.alerts.alerts', 200],
    ['in another order are refused', 'part.alerts.alerts.sort_by(a -> a.createdTime)', 502],
  ])('of alerts of which there are more, %s', async (_, alerts, expected) => {
    siem.fake.faults.add({
      kind: 'drift',
      match: 'legacyFetchAlertsView',
      alter: `root = this.map_each(part -> if part.exists("alerts") { part.assign({"filteredAlertsCount": 5000, "alerts": {"alerts": ${alerts}}}) } else { part })`,
    });
    const { status, body } = await siem.call('siem_query_alerts', { query: { limit: 5 } });
    expect([status, body['message'] ?? '']).toEqual([
      expected,
      expected === 200 ? '' : (expect.stringContaining('narrow the filter by time') as unknown),
    ]);
  });
});
