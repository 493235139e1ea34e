import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { build } from 'rolldown';
import type { ConnectUiStage } from './connect-ui-stage.js';

const client = fileURLToPath(new URL('../../../libs/client/src/open-connect.ts', import.meta.url));

/** Specs of `openConnect` of the package `@onefold/client` in a page of a host, which a bundler has made. */
export function openConnectSpecs(connect: ConnectUiStage): void {
  const { stage, product } = connect;
  const forProduct = () =>
    connect.createSession({ origin: product.origin, providers: ['ticketing_github'] });

  /** Shows a page that opens the Connect UI at once. `end` is what it came to, and `controller` closes it. */
  const open = async (session: string): Promise<Page> => {
    const { output } = await build({
      input: client,
      write: false,
      output: { format: 'iife', name: 'client' },
      logLevel: 'silent',
    });
    product.html = `<!doctype html><html lang="en"><title>Product</title><body>
      <script>${output[0].code}</script>
      <script>
        window.controller = new AbortController();
        window.end = client.openConnect({
          url: '${stage.url}', organization: '${stage.organization}', session: '${session}',
          renew: async () => (await (await fetch('/connect-session')).json()).token,
        }, controller.signal);
      </script>`;
    const page = await stage.open({ origins: [product.origin] });
    await page.goto(product.origin);
    await page.frameLocator('iframe').getByLabel('Repository').waitFor();
    return page;
  };

  it('connects by the client for TypeScript, with a session that is renewed meanwhile', async () => {
    const { token, session } = await forProduct();
    const page = await open(token);
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Repository').fill('alderpoint/desk');
    await frame.getByText(/^Optional fields/).click();
    await frame.getByLabel('Address (URL)').fill(stage.githubUrl);
    await frame.getByLabel('Secret').fill(stage.githubSecret);
    await stage.call('DELETE', `/v1/connect/${connect.accountId}/sessions/${session.id}`);
    product.token = (await forProduct()).token;
    const renewed = page.waitForResponse(/\/connect-session$/);
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await renewed;
    await frame.getByText('what you typed is still here').waitFor({ state: 'detached' });
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await frame.getByRole('heading', { name: /is connected/ }).waitFor();
    await frame.getByRole('button', { name: 'Done' }).click();
    const end = await page.evaluate<{ integration_id: string }>('end');
    expect(end).toMatchObject({
      connected: true,
      provider_id: 'ticketing_github',
      created: true,
    });
    expect(await stage.integrations()).toContain(end.integration_id);
  });

  it('is closed by the signal of the page', async () => {
    const page = await open((await forProduct()).token);
    await page.evaluate('controller.abort()');
    expect(await page.evaluate('end')).toEqual({ connected: false, reason: 'closed' });
    expect(await page.locator('iframe').count()).toBe(0);
  });
}
