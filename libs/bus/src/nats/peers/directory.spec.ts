import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
import { keyOf, Keyring } from '#secrets';
import { Kind, MessageSeal } from '../../messages/sealed-message.js';
import { presenceSubject, processSubject } from '../../subjects.js';
import type { NatsLink } from '../nats-link.js';
import { Refusals } from '../refusals.js';
import { announceIntervalMs, Directory } from './directory.js';

const keys = new Keyring([keyOf(randomBytes(32))]).derive('bus messages');
const calls = Array.from({ length: 200 }, (_, n) => `onefold.v1.ticketing.operation_${n}`);

/** Delivers announcements as NATS does, within the spec, and counts what it delivers. */
class SimulatedBus {
  delivered = { messages: 0, bytes: 0 };
  /** The heads that went to all. */
  readonly heads: string[] = [];
  private readonly listeners = new Map<string, Map<string, (message: Msg) => void>>();
  /** Processes that hear nothing. */
  readonly deaf = new Set<string>();

  link(): NatsLink {
    const seal = new MessageSeal(keys, new Refusals());
    const link = {
      processId: seal.processId,
      listen: (subject: string, handler: (message: Msg) => void) => {
        const all = this.listeners.get(subject) ?? new Map<string, (message: Msg) => void>();
        this.listeners.set(subject, all.set(seal.processId, handler));
      },
      open: ({ subject, data }: Msg, kinds: readonly Kind[]) => seal.open({ subject }, data, kinds),
      publish: (kind: Kind, { subject }: { subject: string }, { head }: { head: string }) => {
        if (subject === presenceSubject) this.heads.push(head);
        this.deliver(subject, seal.seal(kind, { subject }, { head }));
      },
    };
    return link as unknown as NatsLink;
  }

  private deliver(subject: string, data: Uint8Array): void {
    for (const [id, handler] of this.listeners.get(subject) ?? []) {
      if (this.deaf.has(id)) continue;
      this.delivered.messages += 1;
      this.delivered.bytes += subject.length + data.length;
      handler({ subject, data } as Msg);
    }
  }
}

describe('announcements of processes', () => {
  let bus: SimulatedBus;
  const opened: Directory[] = [];

  /** Starts a process that serves subjects. */
  function start(subjects: readonly string[]): { directory: Directory; id: string } {
    const link = bus.link();
    const unasked = () => undefined;
    const directory = new Directory(link, unasked, unasked);
    link.listen(processSubject(link.processId), (message) => {
      const content = link.open(message, [Kind.presence]);
      if (content !== undefined) directory.hear(content);
    });
    for (const subject of subjects) directory.add(subject);
    directory.open();
    opened.push(directory);
    return { directory, id: link.processId };
  }
  const wait = (ms: number) => jest.advanceTimersByTime(ms);

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'nextTick', 'setImmediate'] });
    bus = new SimulatedBus();
  });
  afterEach(() => {
    for (const directory of opened.splice(0)) directory.close();
    jest.useRealTimers();
  });

  it('tell what is served once, and then that it is the same', () => {
    const { directory, id } = start(calls);
    const { directory: other } = start([]);
    bus.heads.length = 0;
    wait(announceIntervalMs(1));
    expect(bus.heads.map((head) => (JSON.parse(head) as { state: string }).state)).toEqual([
      'same',
      'same',
    ]);
    for (const head of bus.heads) expect(head.length).toBeLessThan(60);
    expect(other.pick(calls[3] ?? '')?.id).toBe(id);
    directory.offer('onefold.bridge.one', 2);
    expect(other.pick('onefold.bridge.one')?.id).toBe(id);
  });

  it.each([
    ['a change', (directory: Directory) => directory.offer('onefold.bridge.one', 3)],
    ['a subject that has gone', (directory: Directory) => directory.withdraw(calls[0] ?? '')],
  ])('that were lost are made up for by the next one: %s', (_which, change) => {
    const { directory, id } = start(calls);
    const { directory: other, id: otherId } = start([]);
    wait(announceIntervalMs(1));
    bus.deaf.add(otherId);
    change(directory);
    bus.deaf.clear();
    const served = (one: Directory) =>
      ['onefold.bridge.one', calls[0] ?? ''].map((s) => one.pick(s)?.id);
    expect(served(other)).toEqual([undefined, id]);
    wait(announceIntervalMs(1));
    expect(served(other)).toEqual(served(directory));
    expect(served(other)).not.toEqual([undefined, id]);
  });

  it('find a process that nobody has heard, and forget one that serves nothing any more', () => {
    const { directory: early, id } = start([]);
    bus.deaf.add(id);
    const { directory: late, id: lateId } = start(['onefold.bridge.one']);
    bus.deaf.clear();
    expect(early.pick('onefold.bridge.one')).toBeUndefined();
    wait(announceIntervalMs(1));
    expect(early.pick('onefold.bridge.one')?.id).toBe(lateId);
    bus.deaf.add(id);
    late.withdraw('onefold.bridge.one');
    bus.deaf.clear();
    wait(announceIntervalMs(1));
    expect(early.pick('onefold.bridge.one')).toBeUndefined();
  });

  it('answer a process alone that has asked, and all where it is of a version before', () => {
    const { id } = start(calls);
    start([]);
    const asker = bus.link();
    const heard: string[] = [];
    asker.listen(processSubject(asker.processId), (message) => {
      heard.push(asker.open(message, [Kind.presence])?.head ?? 'refused');
    });
    bus.heads.length = 0;
    const ask = (question: object) =>
      asker.publish(
        Kind.presence,
        { subject: presenceSubject },
        { head: JSON.stringify(question) },
      );
    ask({ state: 'asking', answers: 'here' });
    expect(bus.heads).toHaveLength(1); // the question
    expect(heard.map((head) => JSON.parse(head) as unknown)).toContainEqual(
      expect.objectContaining({ state: 'here', subjects: calls }),
    );
    heard.length = 0;
    ask({ state: 'asking' });
    expect(heard).toEqual([]);
    expect(bus.heads.filter((head) => head.includes(calls[0] ?? ''))).toHaveLength(1);
    expect(id).not.toBe(asker.processId);
  });

  it('come to each process ten times a second at most, whatever their number', () => {
    const count = 150;
    for (let n = 0; n < count; n += 1) start(calls.slice(0, 5));
    wait(announceIntervalMs(count)); // those that began with fewer
    bus.delivered = { messages: 0, bytes: 0 };
    const seconds = 60;
    wait(seconds * 1_000);
    const { messages, bytes } = bus.delivered;
    expect(messages / seconds / count).toBeLessThanOrEqual(10);
    expect(messages).toBeGreaterThan(0);
    expect(bytes / messages).toBeLessThan(200);
  });
});
