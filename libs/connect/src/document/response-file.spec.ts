import { expect, it } from '@jest/globals';
import type { SentResponse } from '#provider-http';
import { responseFile } from './response-file.js';

function headersOf(headers: Record<string, string>): Readonly<Record<string, string>> {
  return responseFile({ headers } as unknown as SentResponse, null).headers;
}

it.each(['"a1b2"', 'W/"a1b2"'])('a file keeps the ETag %s of the provider', (etag) => {
  const headers = headersOf({ 'content-type': 'image/jpeg', etag });
  expect(headers).toMatchObject({ 'content-type': 'image/jpeg', etag });
});

it.each(['a1b2', '"a1\r\nset-cookie: x=y"', `"${'x'.repeat(300)}"`])(
  'a file has no ETag where the provider sends %j',
  (etag) => {
    expect(headersOf({ etag })).not.toHaveProperty('etag');
  },
);
