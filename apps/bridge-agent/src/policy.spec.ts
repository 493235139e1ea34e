import { describe, expect, it } from '@jest/globals';
import { Policy } from './policy.js';

const policy = new Policy([
  { origin: 'https://jira.internal:8443', methods: ['GET', 'POST'], paths: ['/rest/*', '/status'] },
  { origin: 'https://*.plant.internal' },
  { origin: 'http://10.1.2.3', paths: ['/*'] },
]);

function allows(method: string, url: string): boolean {
  try {
    policy.check(method, new URL(url));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ reason: 'refused', isSent: false });
    return false;
  }
}

describe('the policy of a bridge agent', () => {
  it.each([
    ['GET', 'https://jira.internal:8443/rest/issue?id=1', true],
    ['POST', 'https://JIRA.internal:8443/status', true],
    ['PUT', 'https://jira.internal:8443/rest/issue', false],
    ['GET', 'https://jira.internal:8443/admin', false],
    ['GET', 'https://jira.internal:8443/status/more', false],
    ['GET', 'https://jira.internal:8443/rest/../admin', false],
    ['GET', 'https://jira.internal:8443/rest/%2e%2e/admin', false],
    ['GET', 'https://jira.internal:8443/rest/..%2fadmin', false],
    ['GET', 'https://jira.internal:8443/rest/%252e%252e/admin', false],
    ['GET', 'https://jira.internal:8443/rest/..%5cadmin', false],
    ['GET', 'https://jira.internal/rest/issue', false],
    ['GET', 'http://jira.internal:8443/rest/issue', false],
    ['GET', 'https://user@jira.internal:8443/rest/issue', false],
    ['GET', 'https://evil.jira.internal:8443/rest/issue', false],
    ['GET', 'https://a.plant.internal/any/%2f', true],
    ['HEAD', 'https://a.b.plant.internal/', true],
    ['POST', 'https://a.plant.internal/', false],
    ['GET', 'https://plant.internal/', false],
    ['GET', 'https://evilplant.internal/', false],
    ['GET', 'https://a.plant.internal.evil.com/', false],
    ['GET', 'http://10.1.2.3/x', true],
    ['GET', 'http://0xa010203/x', true], // the same address
    ['GET', 'http://10.1.2.4/x', false],
    ['GET', 'http://169.254.169.254/latest', false],
  ])('says of %s %s: %s', (method, url, expected) => {
    expect(allows(method, url)).toBe(expected);
  });

  it('shows what it allows', () => {
    expect(policy.shown).toEqual([
      'GET,POST https://jira.internal:8443 /rest/* /status',
      'GET,HEAD https://*.plant.internal /*',
      'GET,HEAD http://10.1.2.3 /*',
    ]);
  });
});
