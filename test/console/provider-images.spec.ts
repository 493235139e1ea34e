import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { chromiumPath, inBrowser } from '#test/harness';
import { newFolder } from '../e2e/onefold.js';
import { startApp } from '../e2e/processes.js';
import { useConnectUi } from './connect-ui-stage.js';
import { startConsole } from './served-console.js';
import { useStage } from './stage.js';

/** Its colour is in a style sheet of its own, as in files of drawing programs. */
const red = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9">
  <style>rect { fill: #f00 }</style><rect width="9" height="9"/></svg>`;
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

(chromiumPath ? describe : describe.skip)(inBrowser('images of providers'), () => {
  const folder = newFolder();
  beforeAll(() => {
    writeFileSync(join(folder, 'github.svg'), red);
    writeFileSync(join(folder, 'ticketing_jira.png'), Buffer.from(pixel, 'base64'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const stage = useStage(() => startConsole({ PROVIDER_IMAGES_FOLDER: folder }));
  const connect = useConnectUi(stage);
  const providers = ['ticketing_github', 'ticketing_linear'];
  const countIn = async (mark: Locator) => await mark.locator('img').count();

  const markOf = (page: Page | FrameLocator, name: RegExp): Locator =>
    page.locator('.offer, .tile').filter({ hasText: name }).locator('.monogram').first();
  /** Waits for the image of a mark. @returns the colour in its middle, which tells that the browser has drawn it */
  const colorOf = async (mark: Locator): Promise<string | undefined> => {
    const src = await mark.locator('img').getAttribute('src');
    // The last frame is that in a page of the host, or else the page itself.
    const frame = mark.page().frames().at(-1);
    return await frame?.evaluate<string>(`(async () => {
      const image = document.querySelector('.monogram img[src="${src}"]');
      await image.decode();
      const context = document.createElement('canvas').getContext('2d');
      context.drawImage(image, 0, 0, 9, 9);
      return [...context.getImageData(4, 4, 1, 1).data].join(' ');
    })()`);
  };

  it('take the place of letters in the catalogue, for all providers of a vendor and their mocks', async () => {
    const page = await stage.open({ colorScheme: 'dark' });
    await stage.tab.showTo(stage.token, '/providers?mocks=shown');
    const cardOf = (id: string) => page.locator(`a[href$="/providers/${id}"] .monogram`);
    for (const id of ['ticketing_github', 'ticketing_github_mock', 'appsec_github'])
      expect(await colorOf(cardOf(id))).toBe('255 0 0 255');
    expect(await countIn(cardOf('ticketing_jira'))).toBe(1);
    const [other, linear] = [cardOf('notifications_jira'), cardOf('ticketing_linear')];
    expect([await other.innerText(), await countIn(other)]).toEqual(['JC', 0]);
    expect([await linear.innerText(), await countIn(linear)]).toEqual(['LI', 0]);
    const ground = `getComputedStyle(document.querySelector('.monogram img')).backgroundColor`;
    expect(await page.evaluate(ground)).toBe('rgb(232, 234, 241)');
    await stage.tab.expectAccessible('providers with images');
    await page.getByRole('link', { name: /^GitHub Issues(?! \(mock)/ }).click();
    expect(await colorOf(page.locator('.provider-head .monogram'))).toBe('255 0 0 255');
    await page.getByRole('button', { name: 'Connect it' }).click();
    await page.getByRole('button', { name: 'Demo account' }).click();
    expect(await colorOf(page.locator('form .monogram'))).toBe('255 0 0 255');
  });

  it('leave the letters where they do not load', async () => {
    const page = await stage.open();
    await page.route(/assets\/github-.*\.svg$/, (route) => route.fulfill({ status: 404 }));
    await stage.tab.showTo(stage.token, '/providers');
    const mark = markOf(page, /GitHub Issues/);
    await mark.locator('img').waitFor({ state: 'hidden' });
    expect(await mark.innerText()).toBe('GI');
  });

  it('are shown in the Connect UI, alone and in a frame of a page of the host', async () => {
    const alone = await connect.open(`session=${await connect.session({ providers })}`);
    expect(await colorOf(markOf(alone, /GitHub Issues/))).toBe('255 0 0 255');
    expect(await countIn(markOf(alone, /Linear/))).toBe(0);
    await alone.getByRole('button', { name: /^GitHub Issues/ }).click();
    expect(await colorOf(alone.locator('.provider-head .monogram'))).toBe('255 0 0 255');
    expect(await stage.closeTab()).toEqual([]);

    const { origin } = connect.product;
    const { integration } = await connect.createIntegration('Desk');
    const session = { mode: 'manage', integration_id: integration.id, origin };

    connect.product.html = `<!doctype html><html lang="en"><title>Product</title><body><script src="${stage.url}/connect.js"></script>
      <script>Onefold.connect({ organization: '${stage.organization}', session: '${await connect.session(session)}' });</script>`;
    const page = await stage.open({ origins: [origin] });
    await page.goto(origin);
    const framed = page.frameLocator('iframe');
    expect(await colorOf(framed.locator('.provider-head .monogram'))).toBe('255 0 0 255');
  });

  it('are served by the process of the console, which names what is wrong with them', async () => {
    const settings = { API_URL: stage.url, PORT: '0', OBSERVE_PORT: '0', HOST: '127.0.0.1' };
    const own = startApp('console', [], { ...settings, PROVIDER_IMAGES_FOLDER: folder });
    const [, url] = await own.says(/"address":"([^"]+)"/);
    const html = await (await fetch(`${url}/console/providers`)).text();
    const [, names = ''] = /data-images="([^"]+)"/.exec(html) ?? [];
    expect(names.replaceAll(/-[\w-]{8}\./g, '.')).toBe('github.svg ticketing_jira.png');
    const image = await fetch(`${url}/console/assets/${names.split(' ')[0]}`);
    expect([image.status, await image.text()]).toEqual([200, red]);
    await own.stop();

    const empty = newFolder();
    writeFileSync(join(empty, 'GitHub.SVG'), red);
    for (const [app, more] of [
      ['console', settings],
      ['standalone', { DATA_FOLDER: empty, PORT: '0' }],
    ] as const) {
      const wrong = startApp(app, [], { ...more, PROVIDER_IMAGES_FOLDER: empty });
      expect((await wrong.exited).code).toBe(1);
      expect(wrong.output()).toContain(
        `${join(empty, 'GitHub.SVG')} must end with .svg, .png, .webp`,
      );
      expect(wrong.output()).not.toContain('    at ');
    }
    rmSync(empty, { recursive: true });
  });
});
