import { describe, expect, it } from '@jest/globals';
import { busKeys } from '#test/harness';
import { Kind, MessageSeal, type RefusalReason, Refusals } from '../index.js';

describe('a sealed message', () => {
  const address = { subject: 'onefold.v1.a.b', reply: 'r' };
  const content = { head: '{"a":1}', body: Buffer.from('body') };
  const pair = (skew = 0) => {
    const reasons: RefusalReason[] = [];
    const sender = new MessageSeal(busKeys, new Refusals());
    const receiver = new MessageSeal(
      busKeys,
      new Refusals((reason) => reasons.push(reason)),
      () => Date.now() + skew,
    );
    const seal = () => Buffer.from(sender.seal(Kind.request, address, content));
    return { reasons, receiver, seal };
  };

  it('opens once', () => {
    const { reasons, receiver, seal } = pair();
    const message = seal();
    const opened = receiver.open(address, message, [Kind.request]);
    expect(opened).toMatchObject({ head: '{"a":1}', stream: '', kind: Kind.request });
    expect(Buffer.from(opened?.body ?? []).toString()).toBe('body');
    expect(receiver.open(address, message, [Kind.request])).toBeUndefined();
    expect(reasons).toEqual(['replayed']);
  });

  it('opens however long it is', () => {
    const { receiver } = pair();
    const sender = new MessageSeal(busKeys, new Refusals());
    for (const bytes of [0, 1_000, 32_000, 32_768, 40_000, 500_000]) {
      const body = Buffer.alloc(bytes, 7);
      const opened = receiver.open(address, sender.seal(Kind.chunk, address, { head: '', body }), [
        Kind.chunk,
      ]);
      expect(opened?.body.length).toBe(bytes);
    }
  });

  it('does not open when a byte of it was changed, or it was sent elsewhere', () => {
    const { reasons, receiver, seal } = pair();
    const { length } = seal();
    for (let at = 0; at < length; at += 1) {
      const message = seal();
      message[at] = (message[at] ?? 0) ^ 1;
      expect(receiver.open(address, message, [Kind.request])).toBeUndefined();
    }
    for (const other of [
      { subject: 'onefold.v1.a.c', reply: 'r' },
      { subject: 'onefold.v1.a.b', reply: 's' },
      { subject: 'onefold.v1.a.b' },
    ])
      expect(receiver.open(other, seal(), [Kind.request])).toBeUndefined();
    expect(receiver.open(address, seal(), [Kind.answer])).toBeUndefined();
    expect(reasons).not.toContain('replayed');
    expect(new Set(reasons)).toEqual(
      new Set(['not_authentic', 'unknown_version', 'unknown_key', 'unexpected_kind']),
    );
  });

  it('opens within the allowed difference of two clocks, and not beyond', () => {
    for (const [skew, reason] of [
      [25_000, undefined],
      [-25_000, undefined],
      [-35_000, 'clock_skew'],
      [95_000, 'expired'],
    ] as const) {
      const { reasons, receiver, seal } = pair(skew);
      const opened = receiver.open(address, seal(), [Kind.request]);
      expect([opened !== undefined, reasons[0]]).toEqual([reason === undefined, reason]);
    }
  });
});
