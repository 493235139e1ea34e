import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { countReturns, walkCall } from './walk-call.js';

const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
const named = [...page.matchAll(/^ +\d+\. `libs\/connect\/src\/([\w/-]+\.ts)`/gm)].map(
  ([, file = '']) => file,
);

/** Maximum number of times that a call comes back to a file of libs/connect that it has left. */
const maxReturns = 9;

describe('a call on its way through libs/connect', () => {
  const stays = walkCall();

  it('passes from the connector to the provider and back', () => {
    expect(stays).toEqual(
      expect.arrayContaining(['connector.ts', 'provider-call.ts', 'lists/lists.ts']),
    );
  });

  it(`comes back at most ${maxReturns} times to a file that it has left`, () => {
    expect({ stays, returns: countReturns(stays) <= maxReturns }).toEqual({ stays, returns: true });
  });

  it('passes the files in the order of docs/architecture.md', () => {
    const passed = [...new Set(stays)].filter((file) => named.includes(file));
    expect(passed).toEqual(named.filter((file) => passed.includes(file)));
  });
});
