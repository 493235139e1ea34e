import { describe, expect, it } from '@jest/globals';
import { envelopeOf } from './envelope.fixture.js';
import { readEnvelope, writeEnvelope } from './envelope-head.js';

describe('the head of a call', () => {
  it('keeps the envelope', () => {
    const envelope = envelopeOf('ticketing_get_ticket', {
      path: { ticketId: 'a b\n"ü' },
      query: { limit: 5 },
      idempotencyKey: 'key 1',
    });
    expect(readEnvelope(writeEnvelope(envelope))).toEqual(envelope);
  });

  it('keeps that a public operation has no caller', () => {
    const envelope = envelopeOf('auth_logon', { caller: null });
    expect(readEnvelope(writeEnvelope(envelope))).toEqual(envelope);
  });

  it('reads the caller of many calls once, and protects it from changes', () => {
    const envelope = envelopeOf('ticketing_get_ticket');
    const [one, other] = [envelope, { ...envelope, requestId: 'r2' }].map(
      (each) => readEnvelope(writeEnvelope(each)).caller,
    );
    expect(other).toBe(one);
    expect(() => Object.assign(one?.permissions ?? {}, { 0: 'administrator' })).toThrow(TypeError);
  });

  it('follows a token whose permissions have changed', () => {
    const { caller } = envelopeOf('ticketing_get_ticket');
    const changed = { ...caller!, permissions: [{ permissionSet: 'viewer' as const }] };
    const heads = [caller, changed, caller].map((each) =>
      writeEnvelope(envelopeOf('ticketing_get_ticket', { caller: each })),
    );
    expect(heads.map((head) => readEnvelope(head).caller?.permissions)).toEqual([
      [],
      [{ permissionSet: 'viewer' }],
      [],
    ]);
  });
});
