import { describe, expect, it } from '@jest/globals';
import { Problems } from './problems.js';

const now = Date.parse('2026-01-31T12:00:00Z');

function collect(kinds: Record<string, number>): { message: string; detail?: string | null }[] {
  const problems = new Problems();
  for (const [instance, count] of Object.entries(kinds))
    for (let index = 0; index < count; index += 1)
      problems.add({ message: `${instance} ${index}`, instance });
  return problems.render(now)?.problems ?? [];
}

describe('informational problems', () => {
  it('have the shape of the specification', () => {
    const problems = new Problems();
    expect(problems.render(now)).toBeUndefined();
    problems.add({ message: 'a', detail: 'b', instance: 'poll-timeout-capped' });
    expect(problems.render(now)).toEqual({
      problems: [
        {
          message: 'a',
          detail: 'b',
          instance: 'poll-timeout-capped',
          status: 200,
          occurred_at: '2026-01-31T12:00:00.000Z',
        },
      ],
    });
  });

  it('are named up to twenty, and counted by kind beyond', () => {
    expect(collect({ left: 20 })).toHaveLength(20);
    const many = collect({ left: 1_000 });
    expect(many).toHaveLength(21);
    expect(many.at(-1)).toMatchObject({
      message: '980 more problems were left out',
      detail: 'left: 980',
      instance: 'more-problems',
    });
  });

  it('are named of every kind, whatever the number of the others', () => {
    const messages = collect({ left: 300, cut: 1, moved: 30 }).map(({ message }) => message);
    expect(messages).toContain('cut 0');
    expect(messages).toHaveLength(21);
    expect(collect({ left: 300, cut: 1, moved: 30 }).at(-1)?.detail).toBe('left: 290, moved: 21');
  });
});
