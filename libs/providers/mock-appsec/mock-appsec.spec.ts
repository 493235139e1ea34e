import { beforeEach, describe, expect, it } from '@jest/globals';
import { OverFake } from '#test/harness';

const start = new Date('2026-11-22T00:00:00Z');
const finding = 'v1_8_0.applicationsecurityposturefinding.ApplicationSecurityPostureFinding';

let appsec: OverFake;
beforeEach(() => {
  appsec = new OverFake(new URL('./', import.meta.url), 'appsec_mock_appsec', {
    classes: { appsec_create_findings: finding, appsec_query_findings: finding },
  });
});

const made = (uid: string, title: string) => ({
  activity_id: 1,
  category_uid: 2,
  class_uid: 2007,
  type_uid: 200701,
  severity_id: 4,
  severity: 'High',
  time: start.getTime(),
  metadata: { version: '1.8.0', uid, product: { name: 'Scanner', vendor_name: 'Acme' } },
  application: { uid: 'instrument-cloud' },
  finding_info: { uid, title },
});

describe('findings', () => {
  it('are taken many at once, and one with a known id replaces the other', async () => {
    const first = [made('acme-1', 'Query built from user input'), made('acme-2', 'Weak hash')];
    const { result } = await appsec.succeed('appsec_create_findings', { body: first });
    expect(result).toEqual(first);
    const other = made('acme-2', 'Weaker hash');
    await appsec.succeed('appsec_create_findings', { body: [other] });
    expect(await appsec.pages('appsec_query_findings', { limit: 1 })).toEqual([
      [first[0]],
      [other],
    ]);
    expect(appsec.requests().filter(({ method }) => method === 'POST')).toHaveLength(2);
  });
});
