import { expect, it } from '@jest/globals';
import { identityOf } from '../../libs/management/sso/src/oidc-provider.js';

it('takes a mail address that the identity provider did not verify as no address, whatever says so', () => {
  const email = 'owner@example.com';
  const emailOf = (claims: object) => identityOf('s', { email, ...claims }).email;
  const unverified = [false, 'false', 'true', 0, 1, null, '', [], {}, 'no'];
  expect(unverified.filter((value) => emailOf({ email_verified: value }) !== null)).toEqual([]);
  expect([emailOf({ email_verified: true }), emailOf({})]).toEqual([email, email]);
});
