import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const fuzz = (...args: string[]) =>
  runProgram(root, process.execPath, ['tools/fuzz-mapping.mjs', '--hostile', ...args]);

describe('npm run fuzz -- mapping --hostile', () => {
  it('fails when a load costs more than it pays for, and names it', async () => {
    // Loads may cost nothing at all: each costs more than that.
    const { code, output } = await fuzz('--only', 'uuid_v4', '--factor', '0');
    expect(code).toBe(1);
    expect(output).toMatch(/^loop of uuid_v4\(\): made, /m);
    expect(output).toMatch(/ loads of methods: [1-9]\d* cost more than they pay\n$/);
  });

  it('passes when each pays for its cost', async () => {
    const { code, output } = await fuzz('--only', 'uuid_v4', '--factor', '1000');
    expect(output).toMatch(/^[1-9]\d* loads of methods: 0 cost more than they pay\n$/);
    expect(code).toBe(0);
  });

  it('fails for time that no step pays for, however often it looks', async () => {
    const { code, output } = await fuzz('--dry');
    expect(code).toBe(1);
    expect(output.split('\n')).toEqual([
      expect.stringMatching(/^this\.takes_time\(\): made, \d+ ms, \d steps, /),
      '2 loads of methods: 1 cost more than they pay',
      '',
    ]);
  });

  it('fails for a method that does not exist', async () => {
    const { code, output } = await fuzz('--only', 'nothing_like_it');
    expect([code === 0, output]).toEqual([
      false,
      expect.stringContaining('there is no method or function nothing_like_it'),
    ]);
  });
});
