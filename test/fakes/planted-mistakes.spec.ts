import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { mockWalks } from '../walks/mock-walks.js';
import { excuseOf } from './excuses.js';
import { mistakes } from './plant.js';
import { type Planted, PlantedMock } from './plant-in-mock.js';

beforeAll(() => loadValidators());

it('there are more than ten kinds of mistakes', () => {
  expect(mistakes.length).toBeGreaterThan(10);
});

describe.each(mockWalks.map((walk) => [walk.type, walk] as const))(
  'the checks of %s',
  (type, walk) => {
    it('find what is wrong, and nothing where nothing is', async () => {
      const mock = await PlantedMock.open(walk);
      expect(mock.sound.fault).toBeUndefined();
      const wrong: unknown[] = [];
      for (const kind of mistakes) {
        const planted = await mock.plant(kind);
        const excuse = excuseOf(type, kind);
        if (isFound(planted) && excuse !== undefined) wrong.push(`${kind}: needs no excuse`);
        if (!isFound(planted) && excuse === undefined) wrong.push([kind, planted]);
      }
      expect(wrong).toEqual([]);
    });
  },
);

/** More are found than not: some values are taken whatever they are. */
function isFound(planted: readonly Planted[]): boolean {
  return planted.filter(({ found }) => found !== undefined).length * 2 > planted.length;
}
