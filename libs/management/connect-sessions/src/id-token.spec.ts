import { describe, expect, it } from '@jest/globals';
import { askedScopes, readClaims } from './id-token.js';

const declared = {
  credential: 'credential',
  authorize_url: 'https://login.example.com/authorize',
  token_url: 'https://login.example.com/token',
  scopes: ['read'],
  claims: { tenant_id: 'tid' },
  source: 'https://example.com',
};
const tokenOf = (payload: unknown) =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`;

describe('the id token of a grant', () => {
  it('is asked for where the document names claims', () => {
    expect(askedScopes(declared)).toEqual(['openid', 'read']);
    const { claims: _none, ...without } = declared;
    expect(askedScopes(without)).toEqual(['read']);
  });

  it('tells the properties of the configuration that the document names', () => {
    const config = readClaims(tokenOf({ aud: 'app', tid: 'tenant-1', oid: 'x' }), 'app', declared);
    expect(config).toEqual({ tenant_id: 'tenant-1' });
    expect(readClaims(tokenOf({ aud: ['app'], tid: 'tenant-1' }), 'app', declared)).toEqual(config);
  });

  it.each([
    ['for another application', tokenOf({ aud: 'other', tid: 'tenant-1' })],
    ['without the claim', tokenOf({ aud: 'app' })],
    ['with a claim that is an object', tokenOf({ aud: 'app', tid: { a: 1 } })],
    ['with a long claim', tokenOf({ aud: 'app', tid: 'x'.repeat(201) })],
    ['that is none', 'not.a.token'],
    ['without parts', ''],
    ['of nothing', tokenOf(null)],
  ])('tells nothing when it is one %s', (_which, token) => {
    expect(readClaims(token, 'app', declared)).toBeNull();
  });
});
