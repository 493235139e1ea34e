import { describe, expect, it } from '@jest/globals';
import { basicAuthorization, readRefusal, readTokenAnswer } from './index.js';

describe('the answer of a token endpoint', () => {
  it.each([
    [
      'all of it',
      '{"access_token":"a","token_type":"bearer","expires_in":60,"scope":"x y"}',
      { expiresInSeconds: 60, scope: 'x y' },
    ],
    ['the token alone', '{"access_token":"a"}', {}],
    [
      'null',
      '{"access_token":"a","token_type":null,"expires_in":null,"scope":null,"refresh_token":null,"id_token":null}',
      {},
    ],
    ['another kind', '{"access_token":"a","token_type":"BearerToken"}', {}],
    ['a time as text', '{"access_token":"a","expires_in":"3600"}', { expiresInSeconds: 3600 }],
    ['a fraction', '{"access_token":"a","expires_in":3599.5}', { expiresInSeconds: 3599.5 }],
    ['a time that is not one', '{"access_token":"a","expires_in":"soon"}', {}],
    ['a list of scopes', '{"access_token":"a","scope":["x","y"]}', { scope: 'x y' }],
    ['a form', 'access_token=a&scope=repo%20user&token_type=bearer', { scope: 'repo user' }],
    ['a mark', '\ufeff{"access_token":"a","refresh_token":"r"}', { refreshToken: 'r' }],
  ])('is read with %s', (_what, text, more) => {
    expect(readTokenAnswer(text)).toEqual({ accessToken: 'a', ...more });
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"error":"x"}',
    '{"access_token":null}',
    '<html></html>',
    'a=b',
  ])('is not taken for a token: %s', (text) => {
    expect(readTokenAnswer(text)).toBeUndefined();
  });
});

describe('the refusal of a token endpoint', () => {
  it.each([
    [
      '{"error":"invalid_client","error_description":"No."}',
      'invalid_client',
      'invalid_client No.',
    ],
    ['{"errors":[{"code":401,"message":"access denied"}]}', '401', '401 access denied'],
    ['{"errors":["access denied"]}', undefined, 'access denied'],
    ['{"errorCode":"E11","errorSummary":"Invalid token"}', 'E11', 'E11 Invalid token'],
    ['{"error":{"code":"denied","message":"Not you"}}', 'denied', 'denied Not you'],
    ['[{"errorCode":"LIMIT","message":"Too much"}]', 'LIMIT', 'LIMIT Too much'],
    ['{"fault":{"faultstring":"Bad key"}}', undefined, 'Bad key'],
    ['{"message":null,"detail":"Locked"}', undefined, 'Locked'],
    ['error=bad_code&error_description=It+expired.', 'bad_code', 'bad_code It expired.'],
    ['<html><head><title>Closed\n until 6</title></head></html>', undefined, 'Closed until 6'],
    ['<p>Who <b>are</b> you?</p>', undefined, 'Who are you?'],
    ['upstream connect error', undefined, 'upstream connect error'],
    ['', undefined, undefined],
  ])('is read from %s', (text, code, words) => {
    const refusal = readRefusal(text);
    expect([refusal.code, refusal.words]).toEqual([code, words]);
  });

  it('is masked before it is cut, because a part of a secret would not be recognized', () => {
    const secret = 'k'.repeat(40);
    for (const text of [`${'x'.repeat(480)}${secret}`, `{"message":"${'x'.repeat(480)}${secret}"}`])
      expect(readRefusal(text, (words) => words.replaceAll(secret, '***')).words).toBe(
        `${'x'.repeat(480)}***`,
      );
  });

  it('is read in time that grows with its length only', () => {
    const begun = performance.now();
    for (const hostile of ['<title'.repeat(200_000), '<'.repeat(1_000_000), 'a='.repeat(500_000)])
      readRefusal(hostile);
    expect(performance.now() - begun).toBeLessThan(20_000); // quadratic work would take minutes
  });
});

it('leaves what needs no encoding alone in HTTP Basic', () => {
  const decoded = (header: string) => Buffer.from(header.slice(6), 'base64').toString();
  expect(decoded(basicAuthorization('my-app_1.2~x', 's-_.~'))).toBe('my-app_1.2~x:s-_.~');
  expect(decoded(basicAuthorization('a b', 'p:%+ü'))).toBe('a+b:p%3A%25%2B%C3%BC');
});
