import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ProviderRequest, type ProviderResponse, Redactor } from '#provider-http';
import { keyOf, Sealer } from '#secrets';
import type { RecordedCall } from '#store';
import type { ConnectorCall } from '../connector-call.js';
import { BodyRecording } from './body-recording.js';

const sealer = new Sealer(keyOf(randomBytes(32)));
const dataKey = sealer.createDataKey();
const secret = 's3cr3t-of-the-provider';

function record(): {
  recording: BodyRecording;
  redactor: Redactor;
  begin: (isFile?: boolean) => void;
  add: (request: Partial<ProviderRequest>, text: string, headers?: Record<string, string>) => void;
  opened: () => RecordedCall;
} {
  const recording = new BodyRecording({ sealer, dataKey, accountId: 'acc_1' }, () => 1_000);
  const redactor = new Redactor();
  const call = { path: { ticketId: '1' }, query: {}, meta: [] } as unknown as ConnectorCall;
  return {
    recording,
    redactor,
    begin: (isFile = false) =>
      recording.begin(call, 'ticketing_get_ticket', { raw: false, isFile, redactor }),
    add: (request, text, headers = {}) => {
      const url = new URL('https://api.example.com/tickets/1');
      const sent = {
        method: 'GET',
        url,
        headers: {},
        secretHeaders: [],
        answer: 'json',
        ...request,
      };
      const answer = { status: 200, headers, text, body: null } satisfies ProviderResponse;
      const exchange = { method: sent.method, url, status: 200, durationMs: 1, bytes: text.length };
      recording.add(exchange, redactor, sent as unknown as ProviderRequest, answer);
    },
    opened: () => JSON.parse(sealer.open('acc_1', recording.seal()).reveal()) as RecordedCall,
  };
}

describe('the recording of a call', () => {
  it('has bodies and headers without secrets, also those that are known later', () => {
    const { recording, redactor, begin, add, opened } = record();
    begin();
    const url = new URL(`https://api.example.com/tickets/1?key=${secret}`);
    add(
      {
        url,
        method: 'POST',
        body: JSON.stringify({ said: secret }),
        headers: { authorization: `Bearer ${secret}`, 'x-said': secret },
        secretHeaders: ['authorization'],
      },
      `{"echo":"${secret}"}`,
      { 'set-cookie': 'session=1', 'content-type': 'application/json' },
    );
    redactor.add(secret);
    const rawBody = Buffer.from(`{"name":"${secret}"}`);
    recording.finish(
      { path: { ticketId: '1' } as never, query: { q: secret } as never, rawBody },
      rawBody,
    );
    expect(opened()).toEqual({
      run: {
        as: 'ticketing_get_ticket',
        raw: false,
        path: { ticketId: '1' },
        query: {},
        meta: [],
        at: 1_000,
      },
      bodies: {
        path: { ticketId: '1' },
        query: { q: '[secret]' },
        request: { text: '{"name":"[secret]"}', omitted: 0 },
        response: { text: '{"name":"[secret]"}', omitted: 0 },
        omitted_exchanges: 0,
        exchanges: [
          {
            method: 'POST',
            url: 'https://api.example.com/tickets/1?key=[secret]',
            request_headers: { authorization: 'Bearer [secret]', 'x-said': '[secret]' },
            request: { text: '{"said":"[secret]"}', omitted: 0 },
            status: 200,
            response_headers: { 'set-cookie': '[secret]', 'content-type': 'application/json' },
            response: { text: '{"echo":"[secret]"}', omitted: 0 },
          },
        ],
      },
    });
  });

  it('cuts long bodies, and leaves no part of a secret at the cut', () => {
    for (const size of [262_140, 327_670, 400_000]) {
      const { redactor, begin, add, opened } = record();
      begin();
      redactor.add(secret);
      // Redacted secrets make the text shorter, so that its end moves towards the cut.
      add(
        {},
        `${secret.repeat(5_000)}${'x'.repeat(size - 110_000)}${secret}${'y'.repeat(500_000)}`,
      );
      const { text = '', omitted = 0 } = opened().bodies.exchanges[0]?.response ?? {};
      expect(text.length).toBeLessThanOrEqual(262_144);
      expect(omitted).toBeGreaterThan(0);
      expect(text).not.toMatch(/s3c|cr3t(?!\])/);
    }
  });

  it('holds a million characters and 50 exchanges, and counts what is left out', () => {
    const { recording, begin, add, opened } = record();
    begin();
    for (let count = 0; count < 60; count += 1) add({}, 'z'.repeat(262_144));
    expect(recording.size).toBe(1_048_576);
    const { exchanges, omitted_exchanges: left } = opened().bodies;
    expect([exchanges.length, left]).toEqual([50, 10]);
    expect(exchanges.map(({ response }) => response?.text.length)).toEqual([
      ...Array<number>(4).fill(262_144),
      ...Array<number>(46).fill(0),
    ]);
    expect(exchanges.at(-1)?.response?.omitted).toBe(262_144);
  });

  it('has no body of a login, and says what cannot be repeated', () => {
    const { recording, redactor, begin, opened } = record();
    const url = new URL('https://api.example.com/login');
    const answer = { status: 200, headers: { token: secret }, text: secret, body: null };
    recording.add({ method: 'POST', url, durationMs: 1, status: 200 }, redactor, undefined, answer);
    expect(opened().run).toBe('it ran no operation');
    begin();
    begin();
    expect(opened()).toMatchObject({
      run: 'it ran more than one operation',
      bodies: { exchanges: [{ url: url.href, request_headers: {}, response_headers: {} }] },
    });
    expect(opened().bodies.exchanges[0]?.response).toBeUndefined();
    begin(true);
    expect(opened().run).toBe('it passes a file');
  });
});
