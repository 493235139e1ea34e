import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Bus } from '../bus.js';
import { maxUnheardMs } from '../events.js';
import { changeLimits, type LookUpStart, RecordChanges } from './record-changes.js';

interface Answer {
  position: string;
  changes?: readonly string[];
}

/** Record changes on a bus that answers as the test says, and their clock. */
function begin() {
  const state = { now: 1_000, asked: [] as (string | undefined)[], answer: allKnown };
  let hear: (event: { changes: readonly string[] }) => void = () => undefined;
  const bus = {
    subscribe: (_name: string, handler: typeof hear) => {
      hear = handler;
      return () => undefined;
    },
    onReconnect: () => () => undefined,
    call: async (_name: string, { after }: { after?: string }) => {
      state.asked.push(after);
      return await state.answer(after);
    },
  } as unknown as Bus;
  const changes = new RecordChanges(bus, () => state.now);
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 10) {
      state.now += 10;
      await jest.advanceTimersByTimeAsync(10);
    }
  };
  const isCurrent = (start: LookUpStart, ...ids: string[]) =>
    changes.isCurrent(start, ids, Number.POSITIVE_INFINITY);
  return { state, changes, pass, isCurrent, hear: (...all: string[]) => hear({ changes: all }) };
}

const allKnown = (after: string | undefined): Promise<Answer> =>
  Promise.resolve({ position: 'p', ...(after === 'p' ? { changes: [] } : {}) });
const fails = () => Promise.reject(new Error('nobody answers'));
const never = () => new Promise<Answer>(() => undefined);

describe('an answer of a look-up', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is used for a minute while changes are certain, and not for two', async () => {
    const { changes, pass, isCurrent } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    await pass(changeLimits.rememberedMs - 10);
    expect(isCurrent(start, 'org_1')).toBe(true);
    await pass(changeLimits.rememberedMs / 4 + 10);
    expect(isCurrent(start, 'org_1')).toBe(false);
    changes.close();
  });

  it.each([
    ['fails', fails],
    ['does not come', never],
  ])('is used for a second where the confirmation %s', async (_what, answer) => {
    const { state, changes, pass, isCurrent } = begin();
    state.answer = answer;
    const start = changes.begin();
    await pass(maxUnheardMs - 10);
    expect(isCurrent(start)).toBe(true);
    await pass(10);
    expect(isCurrent(start)).toBe(false);
    expect(changes.certainty).toBe('starting');
    changes.close();
  });

  it('is used for a second after the begin of the last confirmation, and again once there is one', async () => {
    const { state, changes, pass, isCurrent } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    await pass(3_000);
    const before = state.asked.length;
    state.answer = fails;
    const silentFrom = state.now;
    while (isCurrent(start)) await pass(10);
    expect(state.now - silentFrom).toBeLessThanOrEqual(maxUnheardMs);
    expect(changes.certainty).toBe('unheard');
    expect(state.asked.length - before).toBeGreaterThan(2);
    await pass(5_000);
    expect(isCurrent(start)).toBe(false);
    state.answer = allKnown; // and nothing has changed since the last position
    await pass(changeLimits.confirmIntervalMs + 10);
    expect(isCurrent(start)).toBe(true);
    changes.close();
  });

  it('counts a confirmation from when it was asked for, however late it comes', async () => {
    const { state, changes, pass, isCurrent } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    let asked = 0;
    state.answer = (after) => {
      asked = state.now;
      return new Promise((settle) => setTimeout(() => settle(allKnown(after)), 900));
    };
    await pass(2_000);
    while (changes.certainty === 'unheard') await pass(10);
    const askedAt = asked;
    while (isCurrent(start) && asked === askedAt) await pass(10);
    expect(state.now - askedAt).toBeLessThanOrEqual(maxUnheardMs);
    changes.close();
  });

  it('is not used after a change of a record that it depends on, and after one of another it is', async () => {
    const { changes, pass, isCurrent, hear } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    hear('tok_2 7');
    expect(isCurrent(start, 'org_1', 'tok_1')).toBe(true);
    hear('tok_1 8');
    expect(isCurrent(start, 'org_1', 'tok_1')).toBe(false);
    expect(isCurrent(changes.begin(), 'org_1', 'tok_1')).toBe(true);
    changes.close();
  });

  it('is not used where the event was lost and the confirmation has it', async () => {
    const { state, changes, pass, isCurrent } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    state.answer = () => Promise.resolve({ position: 'p', changes: ['tok_1 8'] });
    await pass(changeLimits.confirmIntervalMs);
    expect(isCurrent(start, 'tok_1')).toBe(false);
    expect(isCurrent(start, 'tok_2')).toBe(true);
    changes.close();
  });

  it('is not used where a process of management started anew and does not know the position', async () => {
    const { state, changes, pass, isCurrent } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    state.answer = () => Promise.resolve({ position: 'q' });
    await pass(changeLimits.confirmIntervalMs);
    expect(isCurrent(start, 'tok_1')).toBe(false);
    expect(state.asked.at(-1)).toBe('p');
    await pass(changeLimits.confirmIntervalMs);
    expect(state.asked.at(-1)).toBe('q');
    changes.close();
  });

  it('takes a change once that comes by several ways, and a second one of the same record too', async () => {
    const { state, changes, pass, isCurrent, hear } = begin();
    changes.begin();
    await pass(20);
    hear('tok_1 8');
    const start = changes.begin();
    hear('tok_1 8'); // of another process of management
    state.answer = () => Promise.resolve({ position: 'p', changes: ['tok_1 8'] });
    await pass(changeLimits.confirmIntervalMs);
    expect(isCurrent(start, 'tok_1')).toBe(true);
    hear('tok_1 9');
    expect(isCurrent(start, 'tok_1')).toBe(false);
    changes.close();
  });

  it('is not used where the change came while the look-up ran, which others then do not join', async () => {
    const { changes, pass, isCurrent, hear } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    expect(changes.isCurrentWhileRunning(start)).toBe(true);
    hear('tok_1 8');
    expect(changes.isCurrentWhileRunning(start)).toBe(false);
    expect(isCurrent(start, 'tok_1')).toBe(false);
    changes.close();
  });

  it('is used no longer than it says itself', async () => {
    const { changes, pass } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    await pass(1_990);
    expect(changes.isCurrent(start, [], 2_000)).toBe(true);
    await pass(10);
    expect(changes.isCurrent(start, [], 2_000)).toBe(false);
    changes.close();
  });

  it('is not used after more changes than are known one by one', async () => {
    const { changes, pass, isCurrent, hear } = begin();
    changes.begin();
    await pass(20);
    const start = changes.begin();
    for (let n = 0; n <= changeLimits.maxChanged; n += 1) hear(`tok_x${n} 1`);
    expect(isCurrent(start, 'tok_1')).toBe(false);
    expect(isCurrent(changes.begin(), 'tok_1')).toBe(true);
    changes.close();
  });

  it('costs nobody a confirmation when nothing is looked up for long', async () => {
    const { state, changes, pass } = begin();
    await pass(1_000);
    expect(state.asked).toEqual([]);
    expect(changes.certainty).toBe('idle');
    changes.begin();
    await pass(changeLimits.idleMs + changeLimits.confirmIntervalMs + 10);
    const { length } = state.asked;
    await pass(60_000);
    expect(state.asked).toHaveLength(length);
    changes.begin();
    await pass(20);
    expect(state.asked).toHaveLength(length + 1);
    changes.close();
  });
});
