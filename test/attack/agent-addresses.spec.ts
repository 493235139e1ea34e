import { describe, expect, it } from '@jest/globals';
import { readRequest } from '../../libs/bridge/src/messages.js';
import { Policy } from '../../apps/bridge-agent/src/policy.js';

describe('the allow-list of an agent', () => {
  const policy = new Policy([{ origin: 'https://jira.internal', paths: ['/rest/api/*'] }]);
  const isAllowed = (path: string) => {
    try {
      policy.check('GET', new URL(path, 'https://jira.internal'));
      return true;
    } catch {
      return false;
    }
  };

  it('allows no path that a host may take for one outside of it', () => {
    const paths = [
      '..;',
      '..;a=b',
      '..%3b',
      '..%253b',
      '..%00',
      '..%0a',
      '..%20',
      '..%2520',
      '...',
      '. .',
      '%c0%ae%c0%ae',
      '%u002e%u002e',
      '%ef%bc%8e%ef%bc%8e',
      '%e2%80%a5',
      '..%5c',
      '..%255c..',
      '..%2f..',
      '..%252f..',
      '..%25252f..',
      '..%ef%bc%8f..',
      '..%ef%bc%bc..',
      '..\\\\',
    ].map((segment) => `/rest/api/${segment}/${segment}/secure/admin`);
    expect(paths.filter(isAllowed)).toEqual([]);
  });

  it('allows usual paths', () => {
    const paths = [
      '2/issue/A-1',
      'a..b',
      'a.b',
      '.well-known',
      '%e4%bd%a0',
      '100%25',
      'a+b',
      "a'b",
    ];
    expect(paths.filter((path) => !isAllowed(`/rest/api/${path}`))).toEqual([]);
  });
});

describe('a secret that the server wants as a header', () => {
  const read = (name: string) =>
    readRequest({
      method: 'GET',
      url: 'https://jira.internal/rest/api/2',
      headers: {},
      secrets: [{ send: 'header', secret: 'jira', name, value: '{{secret}}' }],
    });

  it('is none that decides where the request goes, or how it ends', () => {
    const names = [
      'host',
      'Host',
      'connection',
      'transfer-encoding',
      'content-length',
      'upgrade',
      'te',
      'expect',
      'proxy-authorization',
      'trailer',
      'keep-alive',
      '',
      'a b',
      'a:b',
      'a\r\nhost',
    ];
    const accepted = names.filter((name) => {
      try {
        read(name);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ reason: 'invalid', isSent: false });
        return false;
      }
    });
    expect(accepted).toEqual([]);
  });

  it('may be any other', () => {
    for (const name of ['authorization', 'X-Api-Key', 'private-token'])
      expect(read(name).secrets).toHaveLength(1);
  });
});
