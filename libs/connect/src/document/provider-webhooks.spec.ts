import { describe, expect, it } from '@jest/globals';
import { compileProvider } from '#provider-document';
import type { WebhookMessage } from '../provider.js';
import { documentWebhooks } from './provider-webhooks.js';

const now = Date.parse('2026-01-01T00:00:00Z');

/** The webhooks of a document that says this of them. */
function webhooksOf(said: string) {
  const { webhooks } = compileProvider(`provider: ticketing_desk
version: 1.0.0
fullname: Desk
vendor: Acme
configuration: { properties: {} }
credentials:
  credential: { token: { send: header, name: x-key, value: this.credential.secret } }
http: { base_url: '"https://desk.example"' }
operations:
  ticketing_get_ticket:
    response: hook
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
mappings:
  hook:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: root.ticket_id = this.id.string()
webhooks:
  events: [changed]
  instructions: Enter {url}.
  mapping: hook
  ${said}
`);
  if (webhooks === undefined) throw new Error('the document has no webhooks');
  return documentWebhooks(webhooks, {});
}

const message = (body: string, headers: Record<string, string> = {}): WebhookMessage => ({
  headers,
  bytes: Buffer.from(body),
  url: 'https://one.example/v1/hooks?token=t',
  config: {},
  limits: undefined,
});

describe('a message of a provider', () => {
  it.each(['9007199254740993', '18446744073709551615', '123456789012345678901234567890'])(
    'keeps all digits of %s, for its mapping and its identity',
    (id) => {
      const webhooks = webhooksOf('id: this.body.id');
      expect(webhooks.map(message(`{"id": ${id}}`))).toEqual({ ticket_id: id });
      const others = [`{"id": ${id}}`, `{"id": ${id.slice(0, -1)}8}`].map((one) => message(one));
      expect(new Set(others.map((one) => webhooks.identify(one))).size).toBe(2);
    },
  );

  it('may be a form: with its JSON in the field payload, or with fields', () => {
    const webhooks = webhooksOf('id: this.body.id');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = message(`payload=${encodeURIComponent('{"id": 9007199254740993}')}`, form);
    expect(webhooks.map(payload)).toEqual({ ticket_id: '9007199254740993' });
    expect(webhooks.map(message('id=7&name=a+b', form))).toEqual({ ticket_id: '7' });
    expect(webhooks.identify(payload)).not.toBe(webhooks.identify(message('id=7', form)));
  });

  it.each([
    ['seconds', '1767225600'],
    ['seconds with a fraction', '1767225600.5'],
    ['milliseconds', '1767225600000'],
    ['microseconds', '1767225600000000'],
    ['nanoseconds', '1767225600000000000'],
    ['a date', '2026-01-01T00:00:00Z'],
    ['a date of HTTP', 'Thu, 01 Jan 2026 00:00:00 GMT'],
  ])('was sent when it says, in %s', (_unit, time) => {
    const webhooks = webhooksOf(
      'timestamp: { value: this.headers.x-time }'.replace('x-time', '"x-time"'),
    );
    const sent = message('{}', { 'x-time': time });
    expect(() => webhooks.check(sent, [], now)).not.toThrow();
    expect(() => webhooks.check(sent, [], now + 301_000)).toThrow('more than five minutes');
  });

  it.each(['-3', 'May 5', '20260101', 'soon', ''])(
    'does not say when it was sent by %j',
    (time) => {
      for (const unit of ['', ', unit: date', ', unit: seconds']) {
        const webhooks = webhooksOf(`timestamp: { value: this.body.time${unit} }`);
        const sent = message(JSON.stringify({ time }));
        expect(() => webhooks.check(sent, [], now)).toThrow(
          /does not say when|more than five minutes/,
        );
      }
    },
  );

  it('is signed with the address where the document says so', () => {
    expect(webhooksOf('signature: { header: x, content: this.text + this.url }').signsAddress).toBe(
      true,
    );
    expect(webhooksOf('signature: { header: x }').signsAddress).toBe(false);
  });
});
