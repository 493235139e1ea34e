import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchRoute, operations } from './index.js';

const id = (method: string, path: string) => {
  const match = matchRoute(method, path);
  return match && 'operation' in match ? [match.operation.id, match.path] : match;
};

describe('matchRoute', () => {
  it.each([
    ['GET', '/v1/credentials/lookup/crd_1', 'credentials_lookup', { credentialId: 'crd_1' }],
    [
      'GET',
      '/v1/credentials/acc_1/crd_1',
      'credentials_get',
      { ownerId: 'acc_1', credentialId: 'crd_1' },
    ],
    ['POST', '/v1/integrations/acc_1/verify', 'integrations_verify', { accountId: 'acc_1' }],
    [
      'GET',
      '/v1/integrations/acc_1/verify',
      'integrations_get',
      { accountId: 'acc_1', integrationId: 'verify' },
    ],
    ['POST', '/v1/tokens/mcp', 'tokens_create_mcp_token', {}],
    [
      'POST',
      '/v1/tokens/organization-integrations',
      'tokens_create_organization_integrations_token',
      {},
    ],
    [
      'DELETE',
      '/v1/tokens/tok_1/secondary',
      'tokens_remove_secondary',
      { refreshTokenId: 'tok_1' },
    ],
    ['GET', '/v1/accounts/a%2Fb%20c', 'accounts_get', { accountId: 'a/b c' }],
    ['GET', '/v1/accounts/', 'accounts_list', {}],
    ['GET', '/v1/storage/files/a/b%20c.txt', 'storage_download_file', { path: 'a/b c.txt' }],
    ['GET', '/v1/storage/files/a%2Fb.txt', 'storage_download_file', { path: 'a/b.txt' }],
    ...['', '/', '//', '/%2F', '/%2F/', '/.', '/./', '/%2E', '/.%2F.'].map(
      (root) => ['GET', `/v1/storage/folders${root}`, 'storage_list_files', { path: '' }] as const,
    ),
    ...['a/b', 'a/b/', 'a%2Fb%2F', './a/b', 'a/b/.', 'a/b//'].map(
      (folder) =>
        ['GET', `/v1/storage/folders/${folder}`, 'storage_list_files', { path: 'a/b' }] as const,
    ),
    ['GET', '/v1/storage/folders//a', 'storage_list_files', { path: '/a' }],
    ['GET', '/v1/storage/folders/.a./', 'storage_list_files', { path: '.a.' }],
  ])('leads %s %s to %s', (method, path, operation, parameters) => {
    expect(id(method, path)).toEqual([operation, parameters]);
  });

  it('returns the methods of a path that does not support the requested one', () => {
    expect(matchRoute('DELETE', '/v1/accounts')).toEqual({ allow: ['GET', 'POST'] });
    expect(matchRoute('POST', '/v1/storage/folders')).toEqual({ allow: ['GET'] });
  });

  it('matches no path outside the contract', () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/accounts/a/b',
      '/v1/accounts//',
      '/V1/accounts',
      '/v1/storage/files',
    ])
      expect(matchRoute('GET', path)).toBeUndefined();
  });

  it('names the segment that cannot be decoded', () => {
    expect(matchRoute('GET', '/v1/accounts/%zz')).toEqual({ malformed: 'accountId' });
  });

  it('returns every parameter decoded', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(
        fc.constantFrom(...operations.values()),
        fc.array(value, { minLength: 4, maxLength: 4 }),
        (operation, values) => {
          const given: Record<string, string> = {};
          // A leading space ensures that the value is not a literal of the contract.
          const path = operation.path.replaceAll(/\{(.+?)\}/g, (_, name: string) => {
            given[name] = ` ${values[Object.keys(given).length] ?? ''}`;
            return encodeURIComponent(given[name]);
          });
          const match = matchRoute(operation.method, path);
          expect(match).toMatchObject({ operation: { id: operation.id }, path: given });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('never throws, for any method and path', () => {
    fc.assert(
      fc.property(fc.string(), fc.webPath(), (method, path) => {
        expect(() => matchRoute(method, `/v1${path}`)).not.toThrow();
      }),
    );
  });
});
