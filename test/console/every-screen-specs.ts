import { expect, it } from '@jest/globals';
import { shareOf } from '#test/harness';
import { Person } from './person.js';
import type { Stage } from './stage.js';

const colorSchemes = ['light', 'dark'] as const;
/** All are checked of each screen in a whole campaign, and else two, which differ from screen to screen. */
const looks = [320, 375, 1_280, 1_600].flatMap((width) =>
  colorSchemes.map((colorScheme) => ({ width, colorScheme })),
);
const looksInterval = 4;
/** The frame reads a few, and each screen its own. */
const maxReads = 22;

/** Goes through all screens of the menu, and those of single records, in an organization that is large. */
export function everyScreenSpecs(stage: Stage, records: () => Promise<string[]>): void {
  it('shows every screen by few reads, and accessibly at each width', async () => {
    const page = await stage.open();
    const person = new Person(page);
    const { tab } = stage;
    await tab.logOn(stage.token);
    const screens = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.menu ul:not(.apart) a')].map((one) => one.getAttribute('href'))`,
    );
    expect(screens.length).toBeGreaterThan(10);
    const paths = [...screens.map((one) => one.replace(/^\/console/, '')), ...(await records())];
    for (const [index, path] of paths.entries()) {
      await page.setViewportSize({ width: 1_280, height: 900 });
      await person.within(path, { actions: 0, reads: maxReads }, async () => {
        await tab.show(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
      });
      for (const { width, colorScheme } of shareOf(looks, looksInterval, index)) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await tab.expectAccessible(`${path}, ${width} pixels, ${colorScheme}`);
      }
    }
    await person.expectLimitedLists();
  });
}
