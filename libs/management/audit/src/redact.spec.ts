import { describe, expect, it } from '@jest/globals';
import { operationOf } from '#contract';
import { redactBody } from './redact.js';

const redact = (id: Parameters<typeof operationOf>[0], body: unknown) =>
  redactBody(operationOf(id), body);

describe('the body of a call in the audit trail', () => {
  it('has no field that the contract marks as secret, whatever the shape', () => {
    expect(
      redact('integrations_create', {
        name: 'desk',
        provider_config: {
          type: 'ticketing_jira',
          url: 'https://example.com',
          credential: { type: 'basic', username: 'u', secret: 'hunter2' },
        },
        webhook_config: { items: [{ webhook_url: 'https://w', integrator_key: 'hunter2' }] },
      }),
    ).toEqual({
      name: 'desk',
      provider_config: {
        type: 'ticketing_jira',
        url: 'https://example.com',
        credential: { type: 'basic', username: 'u', secret: '[secret]' },
      },
      webhook_config: { items: [{ webhook_url: 'https://w', integrator_key: '[secret]' }] },
    });
    expect(
      redact('organizationWebhooks_create', { url: 'https://w', secret: { value: 'hunter2' } }),
    ).toEqual({ url: 'https://w', secret: '[secret]' });
  });

  it('has no field that the contract does not know, and no text in place of an object', () => {
    expect(
      redact('integrations_create', {
        name: 'desk',
        pasword: 'hunter2',
        provider_config: { type: 'acme_own', credential: 'hunter2', token_of_mine: 'hunter2' },
      }),
    ).toEqual({
      name: 'desk',
      provider_config: { type: 'acme_own', credential: '[secret]' },
    });
  });

  it('has of a patch what it would have of the whole record, by the place of each value', () => {
    const step = (path: string, value: unknown) => ({ op: 'replace', path, value });
    const credential = { type: 'basic', username: 'u', secret: 'hunter2' };
    const kept = [
      step('/fullname', 'Desk'),
      step('/provider_config/url', 'https://example.com'),
      { op: 'remove', path: '/mappings' },
    ];
    const body = [
      ...kept,
      step('/provider_config/credential', credential),
      step('/provider_config/credential/secret', 'hunter2'),
      step('/provider_config/credential/secret/deeper', 'hunter2'),
      step('/provider_config/acme_own', 'hunter2'),
      step('/webhook_config/items/0/integrator_key', 'hunter2'),
      step('/webhook_config/items/-', { webhook_url: 'https://w', integrator_key: 'hunter2' }),
      step('', { fullname: 'hunter2' }),
      step('/__proto__/fullname', 'hunter2'),
      step('no pointer', 'hunter2'),
      { ...step('/fullname', 'Desk'), valeu: 'hunter2' },
    ];
    const redacted = redact('integrations_patch', body);
    expect(JSON.stringify(redacted)).not.toContain('hunter2');
    const hidden = '[secret]';
    expect(redacted).toEqual([
      ...kept,
      step('/provider_config/credential', { ...credential, secret: hidden }),
      step('/provider_config/credential/secret', hidden),
      step('/provider_config/credential/secret/deeper', hidden),
      step('/provider_config/acme_own', hidden),
      step('/webhook_config/items/0/integrator_key', hidden),
      step('/webhook_config/items/-', { webhook_url: 'https://w', integrator_key: hidden }),
      step('', hidden),
      step('/__proto__/fullname', hidden),
      step('no pointer', hidden),
      step('/fullname', 'Desk'),
    ]);
  });

  it('has no tokens, and no field named like a secret in free-form objects', () => {
    const token = `ofo_${'a'.repeat(43)}00000000`;
    expect(
      redact('accounts_patch', [
        {
          op: 'add',
          path: `/use ${token}`,
          value: { api_key: 'hunter2', password: 'hunter2', nested: { name: 'kept' } },
        },
      ]),
    ).toEqual([
      {
        op: 'add',
        path: '/use ofo_********',
        value: { api_key: '[secret]', password: '[secret]', nested: { name: 'kept' } },
      },
    ]);
  });

  it("is without customers' records", () => {
    expect(redact('mappings_apply', { mappings: ['m'], data: { name: 'Jane Doe' } })).toEqual({
      mappings: ['m'],
      data: '[not kept]',
    });
  });

  it('is limited in length, width and depth', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    const kept = JSON.stringify(
      redact('accounts_patch', [{ op: 'add', path: '/name', value: deep }]),
    );
    expect(kept.length).toBeLessThan(200);
    const long = redact('mappings_create', { name: 'm', data: 'x'.repeat(100_000) });
    expect((long as { data: string }).data).toMatch(/^x{1000}… of 100000 characters$/);
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`key-${index}`, 'x'.repeat(900)]),
    );
    expect(redact('accounts_patch', [{ op: 'add', path: '/name', value: wide }])).toEqual({
      omitted: expect.stringMatching(/^a body of \d+ characters$/) as unknown,
    });
  });
});
