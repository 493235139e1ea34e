import { describe, expect, it } from '@jest/globals';
import { runMapping } from '#test/harness';

const folder = new URL('.', import.meta.url);
const map = (mapping: string, record: object) => runMapping(folder, mapping, record);

// A finding in the shape of the vendor's API reference (https://developer.tenable.com/reference/exports-vulns-download-chunk), with values of our own.
const finding = (more: object = {}, plugin: object = {}) => ({
  asset: { uuid: 'a-1', hostname: 'web-1', ipv4: '10.0.0.7', fqdn: 'web-1.corp.example' },
  plugin: {
    id: 1,
    name: 'Old library',
    description: 'It is old.',
    solution: 'Update it.',
    cve: ['CVE-2026-0001'],
    cvss3_base_score: 7.5,
    cvss3_vector: { raw: 'AV:N' },
    ...plugin,
  },
  port: { port: 443, protocol: 'TCP' },
  severity_id: 3,
  severity: 'high',
  state: 'OPEN',
  first_found: '2026-01-01T00:00:00Z',
  last_found: '2026-01-02T00:00:00Z',
  ...more,
});

describe.each([
  ['finding', 'finding'],
  ['scan-finding', 'finding_info'],
])('a %s of an export', (mapping, info) => {
  it('has the id that the vendor gives it, or one that is made of asset, plugin and port', () => {
    expect(map(mapping, finding({ finding_id: 'f-1' }))[info].uid).toBe('f-1');
    expect(map(mapping, finding())[info].uid).toBe('a-1:1:443/tcp');
  });

  it('has every rating of its CVE', () => {
    const plugin = { cvss4_base_score: 8.7, cvss4_vector: { raw: 'AV:N' }, epss_score: 42 };
    const { cve } = map(mapping, finding({}, plugin))['vulnerabilities'][0];
    expect(cve).toMatchObject({
      uid: 'CVE-2026-0001',
      cvss: [
        { base_score: 7.5, version: '3.0', vector_string: 'CVSS:3.0/AV:N' },
        { base_score: 8.7, version: '4.0', vector_string: 'CVSS:4.0/AV:N' },
      ],
      epss: { score: '0.42' },
    });
    const bare = map(mapping, finding({}, { cvss3_base_score: null }))['vulnerabilities'][0].cve;
    expect(bare).toEqual({ uid: 'CVE-2026-0001' });
  });

  it('has the version that its vector says', () => {
    const plugin = { cvss3_vector: { raw: 'CVSS:3.1/AV:N' } };
    const [cvss] = map(mapping, finding({}, plugin))['vulnerabilities'][0].cve.cvss as object[];
    expect(cvss).toMatchObject({ version: '3.1', vector_string: 'CVSS:3.1/AV:N' });
  });

  it('is of the time when it was seen, also after it was fixed before', () => {
    const fixed = { last_fixed: '2026-01-01T12:00:00Z' };
    const at = (more: object): unknown => map(mapping, finding({ ...fixed, ...more }))['time'];
    expect(at({ state: 'FIXED' })).toBe(Date.UTC(2026, 0, 1, 12));
    expect(at({ state: 'REOPENED' })).toBe(Date.UTC(2026, 0, 2));
  });

  it('keeps its scores where it has no CVE id', () => {
    const record = map(mapping, finding({}, { cve: undefined, epss_score: 42 }));
    expect(record['unmapped'].plugin).toMatchObject({ cvss3_base_score: 7.5, epss_score: 42 });
    expect(map(mapping, finding())['unmapped'].plugin).not.toHaveProperty('cvss3_base_score');
  });

  it('is about its asset, by uid and name', () => {
    const { resources, device } = map(mapping, finding());
    expect(resources).toEqual([{ uid: 'a-1', name: 'web-1', type: 'Device' }]);
    expect(device).toMatchObject({ uid: 'a-1', name: 'web-1', hostname: 'web-1' });
  });

  it('keeps what the class has no place for', () => {
    const more = { source: 'AGENT', resurfaced_date: '2026-01-03T00:00:00Z', time_taken_to_fix: 7 };
    const { unmapped } = map(mapping, finding(more));
    expect(unmapped).toMatchObject({ ...more, asset: { fqdn: 'web-1.corp.example' } });
    expect(unmapped.asset).not.toHaveProperty('uuid');
    expect(unmapped.plugin).not.toHaveProperty('name');
    expect(unmapped).not.toHaveProperty('state');
  });
});
