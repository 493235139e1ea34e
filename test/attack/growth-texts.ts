import { parse as parseDisposition } from 'content-disposition';
import httpLinkHeader from 'http-link-header';
import { parsePointer } from '#patch';
import { matcher, parseFilter, parseOrder } from '#query';
import { parseCall } from '../../libs/meta/src/parse-call.js';
import { Policy } from '../../apps/bridge-agent/src/policy.js';
import { browserSecret } from '../../apps/gateway/src/sign-on-cookie.js';
import { slug } from '../../libs/management/core/src/names.js';
import { readCertificates } from '../../libs/management/sso/src/certificates.js';
import { parseBody } from '../../libs/provider-http/src/bodies/read-body.js';
import { Redactor } from '../../libs/provider-http/src/redact.js';
import { waitMs } from '../../libs/egress/src/wait-times.js';

const fields = { name: { type: 'string' }, at: { type: 'datetime' } } as const;
const policy = new Policy([{ origin: 'https://a.example', paths: ['/b*'] }]);
/** Headers are not longer: node refuses them. */
const header = (read: (text: string) => unknown) => (text: string) => read(text.slice(0, 16_384));

/** Further readers of texts from outside, by what they read. */
export const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'a filter': (text) => parseFilter(`name[eq]${text}`, fields),
  'the name of a filter': (text) => parseFilter(`${text}[eq]a`, fields),
  'the operator of a filter': (text) => parseFilter(`name[${text}]a`, fields),
  'an order': (text) => parseOrder(text, fields),
  'a pattern of a filter': (text) =>
    matcher<string>(
      [parseFilter(`name[like]a${text.slice(0, 250)}`, fields)],
      fields,
      (one) => one,
    )(text),
  'a meta function': parseCall,
  'a pointer of JSON': (text) => parsePointer(`/${text}`),
  'a name': slug,
  certificates: (text) => readCertificates(text, '/certificates'),
  'a body of JSON': (text) => parseBody(Buffer.from(text), 'json', 'application/json'),
  'a body of lines': (text) => parseBody(Buffer.from(text), 'ndjson', 'application/json'),
  'a text with secrets': (text) => {
    const redactor = new Redactor();
    redactor.add(text.slice(0, 65_536));
    redactor.add('secret');
    return redactor.text(text + text);
  },
  'the header Link': header((text) => httpLinkHeader.parse(text)),
  'the header Content-Disposition': header((text) => parseDisposition(text)),
  'a parameter of Content-Disposition': header((text) => parseDisposition(`a; filename=${text}`)),
  'the header Retry-After': header((text) => waitMs({ 'retry-after': text }, [], 0)),
  'a cookie': header((text) => browserSecret({ headers: { cookie: text } } as never, 'a')),
  'an address for an agent': (text) => policy.check('GET', new URL(text, 'https://a.example/b')),
};
