import { hostileText } from './hostile-values.js';
import type { Random } from './random.js';

export type Header = readonly [name: string, value: string];

const contentTypes = [
  '',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'text/plain',
  '*/*',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'application/json, application/json',
  'APPLICATION/JSON',
  'application/json;;;',
  `application/${'j'.repeat(5_000)}`,
  '__proto__',
  '/',
  'application/',
];
const encodings = ['gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'x', 'chunked', ''];
const authorizations = [
  '',
  'Bearer',
  'Bearer ',
  'Basic dXNlcjpwYXNz',
  'Bearer a b',
  'bearer {{token}}',
  'Bearer {{token}} ',
  'Bearer {{token}}x',
  'Bearer {{token<20}}',
  'Bearer {{token~15}}',
  'Bearer {{token~30}}',
  'Bearer ofo_',
  'Bearer ofi_x',
  'Bearer __proto__',
  'Bearer constructor',
  `Bearer ${'x'.repeat(10_000)}`,
  'Bearer {{token}}, Bearer {{token}}',
  'Digest username="a"',
];
const forwarded = [
  '',
  'unknown',
  '::1',
  '[::1]:80',
  '1.2.3.4, 5.6.7.8',
  ',,,',
  '999.1.1.1',
  '1.2.3.4:99999',
  'fe80::1%eth0',
  `${'1.2.3.4, '.repeat(500)}`,
  '__proto__',
  '127.0.0.1\t',
  "'; drop table a",
];

/** Headers that misuse known ones, or that the service does not expect. */
export function hostileHeaders(random: Random): Header[] {
  const text = headerText(hostileText(random));
  return random.weighted<() => Header[]>([
    [3, () => [['content-type', random.pick(contentTypes)]]],
    [2, () => [['content-encoding', random.pick(encodings)]]],
    [3, () => [['authorization', random.pick(authorizations)]]],
    [
      3,
      () =>
        random.pick<Header[]>([
          [['idempotency-key', '']],
          [['idempotency-key', text]],
          [['idempotency-key', 'x'.repeat(255)]],
          [['idempotency-key', 'x'.repeat(256)]],
          [['idempotency-key', 'same for all']],
          [
            ['idempotency-key', 'a'],
            ['idempotency-key', 'b'],
          ],
          [['idempotency-key', '\xff\xfe\xed\xa0\x80']],
          [['idempotency-key', '__proto__']],
        ]),
    ],
    [
      1,
      () => [
        [
          'x-request-id',
          random.pick([text, 'x'.repeat(129), '../..', '', '\xff', '{{accountId}}']),
        ],
      ],
    ],
    [
      1,
      () => [
        [
          'traceparent',
          random.pick([text, '00-0-0-0', `00-${'f'.repeat(32)}-${'f'.repeat(16)}-01`]),
        ],
      ],
    ],
    [1, () => [['x-forwarded-for', random.pick(forwarded)]]],
    [
      1,
      () => [
        [
          'range',
          random.pick(['bytes=0-', 'bytes=5-1', 'bytes=0-0,1-1', 'x', 'bytes=-99999999999']),
        ],
      ],
    ],
    [
      1,
      () => [
        ['origin', random.pick(['null', 'https://console.example.com', text, 'x'.repeat(9_000)])],
      ],
    ],
    [1, () => [['access-control-request-method', random.pick(['DELETE', text, 'x'.repeat(900)])]]],
    [1, () => [['user-agent', random.pick([text, 'x'.repeat(9_000), '\xff\xed\xa0\x80', '\t'])]]],
    [1, () => [['cookie', random.pick([text, 'a=b; '.repeat(900), '__proto__=1'])]]],
    [1, () => [['accept', random.pick(['', 'text/html', 'image/*;q=9', text])]]],
    [
      1,
      () => [
        [random.pick(['__proto__', 'constructor', 'x'.repeat(2_000), 'x-method-override']), text],
      ],
    ],
    [1, () => [['x-long', 'x'.repeat(random.pick([8_000, 15_000, 17_000, 70_000]))]]],
    [
      1,
      () =>
        Array.from({ length: random.pick([90, 150, 1_500]) }, (_, index) => [`x-${index}`, 'y']),
    ],
    [1, () => [[random.pick(['bad header', 'bad\x01', 'bad(', '', ':']), 'x']]],
    [1, () => [['x-control', random.pick(['a\0b', 'a\rb', 'a\nb', 'a\x7fb'])]]],
  ])();
}

/** Returns a text that a header can contain: line breaks are part of the attacks on framing. */
function headerText(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\r\n\0]/g, '');
}
