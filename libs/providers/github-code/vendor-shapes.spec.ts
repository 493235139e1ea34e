import { describe, expect, it } from '@jest/globals';
import { type Json, runMapping } from '#test/harness';

const folder = new URL('.', import.meta.url);

// An alert in the shape of https://docs.github.com/en/rest/dependabot/alerts, with values of our own.
const alert = (advisory: object) => ({
  kind: 'dependabot',
  number: 3,
  state: 'open',
  created_at: '2026-11-20T08:00:00Z',
  repository: { name: 'a', full_name: 'o/a', html_url: 'https://github.com/o/a' },
  dependency: { package: { ecosystem: 'npm', name: 'left' }, manifest_path: 'package.json' },
  security_advisory: {
    ghsa_id: 'GHSA-xxxx-yyyy-zzzz',
    cve_id: 'CVE-2026-0001',
    summary: 'Left is wrong',
    ...advisory,
  },
  security_vulnerability: { severity: 'high', vulnerable_version_range: '< 2' },
});
const v3 = { vector_string: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', score: 7.5 };
const v4 = {
  vector_string: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N',
  score: 8.7,
};
const none = { vector_string: null, score: 0 };

describe('an alert of Dependabot', () => {
  it.each([
    ['both', { cvss: v3, cvss_severities: { cvss_v3: v3, cvss_v4: v4 } }, [8.7, 7.5]],
    ['version 4 alone', { cvss: none, cvss_severities: { cvss_v3: none, cvss_v4: v4 } }, [8.7]],
    ['version 3 alone', { cvss: v3, cvss_severities: { cvss_v3: v3, cvss_v4: none } }, [7.5]],
    ['an older server', { cvss: v3 }, [7.5]],
    ['none', { cvss: none, cvss_severities: null }, []],
  ])('has the scores of CVSS that GitHub has: %s', (_title, advisory, scores) => {
    const [found] = runMapping(folder, 'finding', alert(advisory))['vulnerabilities'] as Json[];
    const cvss = (found?.['cve'].cvss ?? []) as { base_score: number; version: string }[];
    expect(cvss.map(({ base_score: score }) => score)).toEqual(scores);
    expect(cvss.map(({ version }) => version)).toEqual(
      scores.map((score) => (score === 8.7 ? '4.0' : '3.1')),
    );
  });

  it('says what it is where its advisory is missing', () => {
    const { message } = runMapping(folder, 'finding', {
      ...alert({}),
      security_advisory: null,
    });
    expect(message).toBe('Alert of Dependabot in o/a');
  });
});
