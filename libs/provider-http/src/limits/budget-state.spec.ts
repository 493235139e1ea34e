import { describe, expect, it } from '@jest/globals';
import { type BudgetReport, type BudgetState, shareBudget } from './budget-state.js';

const [ttlMs, waitsMs] = [20_000, 4_000];
const report = (process: string, given: Partial<BudgetReport> = {}): BudgetReport => ({
  process,
  used: [],
  stock: 0,
  busy: 0,
  jobs: 0,
  waiting: [],
  ahead: 0,
  callers: [],
  ttlMs,
  waitsMs,
  ...given,
});
const waits = (caller: string, count = 1, isJob = false, waitedMs = 0) => ({
  caller,
  isJob,
  waitedMs,
  sizes: Array.from({ length: count }, () => 1),
});

/** A budget that processes ask for one after the other. */
class Row {
  state: BudgetState = {};
  now = 1_000_000;

  constructor(private readonly limits: { requests: number; periodMs: number }) {}

  ask(process: string, given: Partial<BudgetReport> = {}) {
    // As the database keeps it.
    const stored = JSON.parse(JSON.stringify(this.state)) as BudgetState;
    const { state, answer } = shareBudget(stored, this.limits, this.now, report(process, given));
    this.state = state;
    return answer;
  }
}

describe('a budget that processes share', () => {
  it('is never given out twice, and comes back a period after its requests were counted', () => {
    const row = new Row({ requests: 10, periodMs: 1_000 });
    expect(row.ask('a', { waiting: [waits('x', 8)] }).grants).toHaveLength(8);
    expect(row.ask('b', { waiting: [waits('y', 8)] }).grants).toHaveLength(2);
    row.now += 5_000;
    expect(row.ask('b', { busy: 2, waiting: [waits('y', 6)] }).grants).toHaveLength(0); // a has them still
    row.ask('a', { used: [{ ageMs: 100, count: 8, jobs: 0 }] });
    expect(row.ask('b', { busy: 2, waiting: [waits('y', 6)] }).waitMs).toBeLessThanOrEqual(950);
    row.now += 949;
    expect(row.ask('c', { busy: 0, waiting: [] }).left).toBeLessThan(8);
    row.now += 1;
    expect(row.ask('b', { busy: 2, waiting: [waits('y', 6)] }).grants.length).toBeGreaterThan(0);
  });

  it('comes back from a process that does not, a period after its share has ended', () => {
    const row = new Row({ requests: 4, periodMs: 1_000 });
    row.ask('killed', { waiting: [waits('x', 4)] });
    row.now += ttlMs;
    expect(row.ask('b', { waiting: [waits('y', 4)] }).grants).toHaveLength(0);
    row.now += 1_100;
    expect(row.ask('b', { waiting: [waits('y', 4)] }).grants).toHaveLength(4);
    expect(Object.keys(row.state.holders ?? {})).toEqual(['b']);
  });

  it('is served in turns of callers, wherever they wait and however many calls they have', () => {
    const row = new Row({ requests: 6, periodMs: 1_000 });
    row.ask('a', { busy: 6 });
    row.ask('b', { waiting: [waits('y', 1)] });
    const { grants } = row.ask('a', { busy: 2, waiting: [waits('many', 50), waits('z', 1)] });
    // Four are free: one of each who waits, and one more of the caller that has more.
    expect(grants.map(({ caller }) => caller).sort()).toEqual(['many', 'many', 'z']);
    const other = row.ask('b', { waiting: [waits('y', 1)] });
    expect(other.grants).toEqual([{ caller: 'y', isJob: false, size: 1 }]);
    expect(row.ask('b', { busy: 1 }).grants).toEqual([]);
  });

  it('serves a caller who waits at several processes where the wait is longest, whoever asks', () => {
    const row = new Row({ requests: 3, periodMs: 1_000 });
    row.ask('a', { busy: 3 });
    row.ask('b', { waiting: [waits('x', 2, false, 900)] });
    expect(row.ask('a', { busy: 2, waiting: [waits('x', 2, false, 100)] }).grants).toEqual([]);
    const line = waits('x', 2, false, 950);
    expect(row.ask('b', { waiting: [line] }).grants).toHaveLength(1);
    // The oldest of the others waits here.
    const own = [waits('x', 2, false, 150)];
    expect(row.ask('a', { busy: 1, waiting: own }).grants).toHaveLength(1);
  });

  it('serves interactive calls before jobs, and a job at every fourth turn', () => {
    const row = new Row({ requests: 100, periodMs: 1_000 });
    const waiting = [waits('job', 10, true), waits('call', 10)];
    const { grants } = row.ask('a', { busy: 88, waiting });
    expect(
      grants
        .slice(0, 8)
        .map(({ isJob }) => (isJob ? 'job' : 'call'))
        .join(' '),
    ).toBe('call call call job call call call job');
  });

  it('keeps half of what is free for others where nobody waits, and nothing where somebody does', () => {
    const row = new Row({ requests: 10, periodMs: 1_000 });
    expect(row.ask('a', { ahead: 50 }).ahead).toBe(5);
    expect(row.ask('b', { ahead: 50 }).ahead).toBe(2);
    const answer = row.ask('c', { ahead: 50, waiting: [waits('x', 4)] });
    expect([answer.grants.length, answer.ahead, answer.isContended]).toEqual([3, 0, true]);
    expect(row.ask('b', { stock: 2, ahead: 5 }).ahead).toBe(0);
    const other = new Row({ requests: 10, periodMs: 1_000 });
    expect(other.ask('a', { ahead: 9, waiting: [waits('x', 6)] })).toMatchObject({
      ahead: 2,
      left: 2,
    });
  });

  it('is lowered by the provider: by what is left, and by a pause', () => {
    const row = new Row({ requests: 100, periodMs: 60_000 });
    row.ask('a', { busy: 2, lowered: { left: 5, forMs: 30_000 } });
    expect(row.ask('b', { waiting: [waits('x', 9)] }).grants).toHaveLength(3);
    expect(row.ask('b', { busy: 3, waiting: [waits('x', 6)] }).waitMs).toBe(30_000);
    row.now += 30_000;
    row.ask('a', { pausedMs: 10_000 });
    expect(row.ask('b', { busy: 3, waiting: [waits('x', 6)] }).grants).toHaveLength(0);
    row.now += 10_000;
    expect(row.ask('b', { busy: 3, waiting: [waits('x', 6)] }).grants).toHaveLength(6);
  });

  it('lets so many requests run at the same time, where it has no period', () => {
    const row = new Row({ requests: 3, periodMs: 0 });
    expect(row.ask('a', { waiting: [waits('x', 5)] }).grants).toHaveLength(3);
    expect(row.ask('b', { waiting: [waits('y', 1)] }).waitMs).toBeUndefined();
    expect(row.ask('a', { busy: 2, waiting: [waits('x', 2)] }).grants).toHaveLength(0); // y is next
    expect(row.ask('b', { waiting: [waits('y', 1)] }).grants).toHaveLength(1);
  });

  it('does not grow with callers and processes that are gone', () => {
    const row = new Row({ requests: 10, periodMs: 1_000 });
    for (let n = 0; n < 300; n += 1) {
      row.now += 400;
      row.ask(`p${n}`, { waiting: [waits(`c${n}`)], callers: [`c${n}`] });
    }
    row.now += 60_000;
    row.ask('last');
    expect(JSON.stringify(row.state).length).toBeLessThan(1_000);
  });
});
