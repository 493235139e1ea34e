import { describe, expect, it } from '@jest/globals';
import type { Value } from '@onefold/mapping';
import { isLimitedByBody, waitInBody } from './limit-in-body.js';

const graph = (code: string) => ({ data: null, errors: [{ message: 'no', extensions: { code } }] });

describe('a limit that the body tells', () => {
  it.each<[number, Value]>([
    [200, graph('RATELIMITED')],
    [400, graph('RATE_LIMITED')],
    [200, { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }],
    [200, { ok: false, error: 'ratelimited' }],
    [200, { ok: false, error: 'rate_limited' }],
    [400, { __type: 'com.example#ThrottlingException', message: 'Rate exceeded' }],
    [403, { error: { code: 403, errors: [{ reason: 'userRateLimitExceeded' }] } }],
    [403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'x' }]],
  ])('is seen with the status %i in %j', (status, body) => {
    expect(isLimitedByBody(status, body)).toBe(true);
  });

  it.each<[number, Value]>([
    [200, { error: 'ratelimited', type: 'throttled' }],
    [200, { tickets: [{ type: 'rate_limited' }], code: 'throttled' }],
    [200, { ok: false, error: 'not_found' }],
    [400, graph('BAD_USER_INPUT')],
    [200, [{ code: 'throttled' }]],
    [500, 'throttled'],
    [200, null],
  ])('is not seen with the status %i in %j', (status, body) => {
    expect(isLimitedByBody(status, body)).toBe(false);
  });

  it.each<[Value, number | undefined]>([
    [{ retry_after: 1.5 }, 1_500],
    [{ retry_after: '20' }, 20_000],
    [{ error: { retryAfter: 3 } }, 3_000],
    [{ ok: false, parameters: { retry_after: 7 } }, 7_000],
    [{ errors: [{ extensions: { retryAfter: '1970-01-01T00:00:05Z' } }] }, 5_000],
    [{ retry_after_ms: 250 }, 250],
    [{ retry_after: -3 }, undefined],
    [{ retry_after: 'soon' }, undefined],
    [{ retry_after: null }, undefined],
    [null, undefined],
  ])('says how long to wait: %j', (body, wait) => {
    expect(waitInBody(body, 0)).toBe(wait);
  });
});
