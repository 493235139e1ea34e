import { beforeAll, describe, expect, it } from '@jest/globals';
import { findDescription, type FakeSetup, setupsOf } from '#apps/provider-kit';
import { loadValidators } from '#contract';
import { isInShare } from '#test/harness';
import { fakeFolders } from '../../apps/provider-kit/src/folders.js';
import { excuseOf } from './excuses.js';
import { Liar } from './find-lie.js';
import { fakeLies, type Lie, lies } from './lies.js';

/** Each provider and its fake tell one in so many lies: every run tells each lie, by some of them. */
const lieInterval = 4;

beforeAll(() => loadValidators());

it('there are ten lies', () => {
  expect(new Set(lies).size).toBe(10);
});

/** Providers whose fakes tell {@link fakeLies} too: one that pages by a token, one by links, and one by connections. */
const moreLies = new Set(['ticketing_jira', 'ticketing_github', 'ticketing_linear']);

/** How much the checks look at: lists have enough rows for every lie, and what is varied finds none of them. */
const depth = { maxPlaces: 1, maxFields: Infinity, maxRecords: 60 };

const setups = fakeFolders()
  .flatMap(setupsOf)
  .map((setup): FakeSetup => ({ ...setup, depth }))
  // Files are not read over a fake: their suite is that of storage.
  .filter(({ type }) => !type.startsWith('storage_'));

/** The lies that a provider and its fake tell in this run. */
function liesOf(type: string, place: number): readonly Lie[] {
  const own = moreLies.has(type) ? [...lies, ...fakeLies] : lies;
  return own.filter((_lie, index) => isInShare(index, lieInterval, place));
}

it('each lie is told by some of them', () => {
  const planted = new Set(setups.flatMap(({ type }, place) => liesOf(type, place)));
  expect(lies.filter((lie) => !planted.has(lie))).toEqual([]);
});

describe.each(setups.map((setup, place) => [setup.type, setup, place] as const))(
  'the checks of the kit over %s',
  (type, setup, place) => {
    it('find the lies of the provider and of its fake', async () => {
      const liar = await Liar.open(setup);
      const wrong: string[] = [];
      for (const lie of liesOf(type, place)) {
        if (await isAway(lie, setup)) continue;
        const excuse = excuseOf(type, lie);
        const outcome = await liar.tell(lie);
        if (outcome === 'found' && excuse !== undefined) wrong.push(`${lie}: needs no excuse`);
        if (outcome !== 'found' && excuse === undefined) wrong.push(`${lie}: ${outcome}`);
      }
      expect(wrong).toEqual([]);
    });
  },
);

/**
 * Whether the lie is about the vendor's description, and there is none: a folder without `description.fixture.ts` has none at all, and that of
 * others may not be on this machine, because its licence does not let us ship it.
 */
async function isAway(lie: Lie, { folder }: FakeSetup): Promise<boolean> {
  return lie === 'an invented field in the fake' && (await findDescription(folder)) === undefined;
}
