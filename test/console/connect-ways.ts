import { expect, it } from '@jest/globals';
import type { ConnectUiStage } from './connect-ui-stage.js';

/** Specs of how a page of the Connect UI begins and ends: sessions that are over, links, pages that are returned to, renewed access. */
export function connectWays(connect: ConnectUiStage): void {
  const { stage, product } = connect;

  it('says the same of sessions that are unknown, deleted and spent, in the language of the link', async () => {
    const deleted = await connect.createSession();
    await stage.call('DELETE', `/v1/connect/${connect.accountId}/sessions/${deleted.session.id}`);
    const spent = await connect.session();
    await stage.call(
      'POST',
      `/v1/integrations/${connect.accountId}`,
      {
        provider_config: { type: 'ticketing_mock_ticketing' },
        integration_point_id: await connect.pointId(),
      },
      spent,
    );
    const seen = new Set<string>();
    for (const token of ['ofo_unknown', deleted.token, spent]) {
      const page = await connect.open(`session=${token}&locale=de`);
      await page.getByRole('heading', { name: 'Diese Seite ist nicht mehr gültig' }).waitFor();
      seen.add(await page.locator('body').innerText());
      await stage.closeTab();
    }
    expect(seen.size).toBe(1);
    const page = await connect.open('');
    await page.getByRole('heading', { name: 'This page is no longer valid' }).waitFor();
  });

  it('keeps the form when the session ends meanwhile', async () => {
    const { token, session } = await connect.createSession({ providers: ['ticketing_github'] });
    const page = await connect.open(`session=${token}`);
    await page.getByLabel('Repository').waitFor();
    await connect.fill(page, stage.githubUrl, stage.githubSecret);
    await stage.call('DELETE', `/v1/connect/${connect.accountId}/sessions/${session.id}`);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('what you typed is still here').waitFor();
    await expect(page.getByLabel('Secret').inputValue()).resolves.toBe(stage.githubSecret);
    await expect(page.getByLabel('Repository').inputValue()).resolves.toBe('alderpoint/desk');
  });

  it('returns to the page of the host with the id of the session, and leaves the rest of the address', async () => {
    const return_url = `${connect.product.origin}/back?state=a%26b&tab=1`;
    for (const status of ['complete', 'cancelled']) {
      const { url: address, session } = await connect.createSession({
        return_url,
        providers: ['ticketing_mock_ticketing'],
      });
      const page = await stage.open({ origins: [connect.product.origin] });
      await page.goto(address);
      const button = status === 'complete' ? 'Connect' : /^Back to/;
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
      const url = new URL(page.url());
      expect([url.origin, url.pathname, url.hash]).toEqual([connect.product.origin, '/back', '']);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        state: 'a&b',
        tab: '1',
        connect_session: session.id,
        status,
      });
      await stage.closeTab();
    }
  });

  it('opens a link when somebody begins, once, and keeps the session over a reload', async () => {
    const link = await connect.session({ link: true, providers: ['ticketing_github'] });
    await connect.open(`link=${link}`);
    const page = stage.tab.page;
    await page.getByRole('button', { name: 'Start' }).waitFor();
    expect(stage.tab.requests).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByLabel('Repository').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.reload();
    await page.getByLabel('Repository').waitFor();
    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
    await stage.closeTab();
    const again = await connect.open(`link=${link}`);
    await again.getByRole('button', { name: 'Start' }).click();
    await again.getByRole('heading', { name: 'This page is no longer valid' }).waitFor();
  });

  it('renews the access of an integration by its secret alone, and keeps its id and token', async () => {
    const { integration, token } = await connect.createIntegration('dépôt 42');
    const page = await connect.open(
      `session=${await connect.session({ integration_id: integration.id })}`,
    );
    await page.getByRole('heading', { name: /Renew the access to .*dépôt 42/ }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(1);
    await page.getByLabel('Secret').fill('wrong');
    await page.getByRole('button', { name: 'Renew access' }).click();
    await page.getByRole('alert').getByText('does not accept this access').waitFor();
    await page.getByLabel('Secret').fill(stage.githubSecret);
    await page.getByRole('button', { name: 'Renew access' }).click();
    await page.getByRole('heading', { name: /dépôt 42.* is renewed/ }).waitFor();
    const path = `/v1/integrations/${connect.accountId}/${integration.id}`;
    const { result } = await stage.call<typeof integration>('GET', path);
    expect(result.refresh_token_id).toBe(integration.refresh_token_id);
    expect(result.updated_at).not.toBe(integration.updated_at);
    await stage.call('GET', '/v1/ticketing/tickets?limit=1', undefined, token);
  });

  it('says whether the provider accepts the access, and renews it from there', async () => {
    const { integration } = await connect.createIntegration('managed');
    const page = await connect.open(
      `session=${await connect.session({ integration_id: integration.id, mode: 'manage' })}`,
    );
    await page
      .getByText(/GitHub Issues.* accepts the access: everything works/)
      .last()
      .waitFor();
    await stage.tab.expectAccessible('a system that works');
    stage.github.engine.faults.add({ kind: 'status', status: 401 });
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('alert').getByText('does not accept the access any more').waitFor();
    await stage.tab.expectAccessible('a system that refuses');
    await page.getByRole('button', { name: 'Renew access' }).click();
    await page.getByLabel('Secret').fill(stage.githubSecret);
    await page.getByRole('button', { name: 'Renew access' }).click();
    await page.getByRole('heading', { name: /managed.* is renewed/ }).waitFor();
  });

  it('disconnects by two clicks at different places, the second not at once, and tells the host', async () => {
    const { integration } = await connect.createIntegration('left');
    const token = await connect.session({
      integration_id: integration.id,
      mode: 'manage',
      origin: product.origin,
    });
    product.html = `<!doctype html><html lang="en"><title>Product</title><body>
      <script src="${stage.url}/connect.js"></script>
      <script>
        window.events = [];
        Onefold.connect({ organization: '${stage.organization}', session: ${JSON.stringify(token)},
          onEvent: (event) => window.events.push(event) });
      </script>`;
    const page = await stage.open({ origins: [product.origin] });
    await page.goto(product.origin);
    const frame = page.frameLocator('iframe');
    const ask = frame.getByRole('button', { name: 'Disconnect …' });
    const box = await ask.boundingBox();
    await ask.dblclick();
    const confirm = frame.getByRole('button', { name: 'Disconnect now' });
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    const { x: left = 0, y: top = 0, width = 0, height = 0 } = (await confirm.boundingBox()) ?? {};
    expect(x > left && x < left + width && y > top && y < top + height).toBe(false);
    expect(await stage.integrations()).toContain(integration.id);
    await frame.getByRole('button', { name: 'Keep it connected' }).click();
    await ask.click();
    await frame.locator('button.danger:not([aria-disabled="true"])').click();
    await frame.getByRole('heading', { name: /left.* is disconnected/ }).waitFor();
    expect(await stage.integrations()).not.toContain(integration.id);
    const deleted = { type: 'deleted', integration_id: integration.id };
    expect(await page.evaluate('window.events')).toEqual(expect.arrayContaining([deleted]));
  });
}
