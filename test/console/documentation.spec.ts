import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { PageOptions } from './console-page.js';
import { describeInBrowser } from './stage.js';

describeInBrowser('the documentation of the console', (stage) => {
  it('opens at what the screen is for, in a tab of its own, and asks nobody else', async () => {
    const page = await stage.open();
    await stage.tab.logOn(stage.token);
    const menu = page.getByRole('navigation', { name: 'Screens' });
    for (const [title, heading] of [
      ['Mapping studio', 'Mapping studio'],
      ['Webhooks', 'Webhooks'],
      ['Integrations', 'Integrations'],
    ] as const) {
      await menu.getByRole('link', { name: title, exact: true }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      const help = page.getByRole('link', { name: 'Help with this screen' });
      const opened = page.context().waitForEvent('page');
      await help.click();
      const documentation = await opened;
      await documentation.getByRole('heading', { name: heading, exact: true }).waitFor();
      const place = `[...document.querySelectorAll('h1, h2')]
        .find(({ textContent }) => textContent === '${heading}').getBoundingClientRect().top`;
      await eventually(async () => {
        const top = Number(await documentation.evaluate(place));
        expect({ heading, isInView: top >= 0 && top < 450, top }).toMatchObject({ isInView: true });
      });
      expect(new URL(documentation.url()).origin).toBe(new URL(page.url()).origin);
      await documentation.close();
    }
  });

  it.each<PageOptions>([
    { colorScheme: 'light', width: 1_600 },
    { colorScheme: 'dark', width: 320 },
  ])('can be read by everybody, $colorScheme and $width pixels wide', async (options) => {
    const page = await stage.open(options);
    for (const name of ['index', 'console', 'webhooks', 'providers/documents']) {
      await stage.tab.show(`/docs/${name}.html`);
      await page.getByRole('main').waitFor();
      await stage.tab.expectAccessible(`documentation ${name}`);
    }
  });
});
