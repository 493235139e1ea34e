import { describe, expect, it } from '@jest/globals';
import { matchRoute } from './index.js';

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
      'DELETE',
      '/v1/tokens/tok_1/secondary',
      'tokens_remove_secondary',
      { refreshTokenId: 'tok_1' },
    ],
    ['GET', '/v1/accounts/a%2Fb%20c', 'accounts_get', { accountId: 'a/b c' }],
    ['GET', '/v1/accounts/', 'accounts_list', {}],
    ['GET', '/v1/storage/files/a/b%20c.txt', 'storage_download_file', { path: 'a/b c.txt' }],
    ['GET', '/v1/storage/files/a%2Fb.txt', 'storage_download_file', { path: 'a/b.txt' }],
  ])('leads %s %s to %s', (method, path, operation, parameters) => {
    expect(id(method, path)).toEqual([operation, parameters]);
  });

  it('names the methods a path has when it has not the one asked for', () => {
    expect(matchRoute('DELETE', '/v1/accounts')).toEqual({ allow: ['GET', 'POST'] });
  });

  it('knows no path the contract does not name', () => {
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

  it('says which segment cannot be decoded', () => {
    expect(matchRoute('GET', '/v1/accounts/%zz')).toEqual({ malformed: 'accountId' });
  });
});
