import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AuthorizationFake } from '#test/harness';
import type { ConnectUiStage } from './connect-ui-stage.js';

/** Specs of access that somebody grants at the provider, against the fakes of vendors' authorization servers. */
export function authorizeSpecs(connect: ConnectUiStage): void {
  const { stage, product } = connect;
  let slack: AuthorizationFake;
  let code: AuthorizationFake;
  let microsoft: AuthorizationFake;
  const point = { slack: 'talks', code: 'members', microsoft: 'directory' };

  const offer = async (
    fake: AuthorizationFake,
    name: string,
    of: { connector: string; provider: string; application: string },
    paths: { page: string; token: string },
  ) => {
    const environments = { test: ['*'], prod: ['*'] };
    const made = { name, connector: of.connector, environments };
    const { result } = await stage.call<{ id: string }>('POST', '/v1/integration-points', made);
    const { id: client_id, secret: client_secret } = fake.application(of.application);
    await stage.call('POST', `/v1/credentials/${result.id}`, {
      name: of.provider,
      config: {
        type: 'o_auth_client',
        client_id,
        client_secret,
        token_url: `${fake.url}${paths.token}`,
        extra: { authorize_url: `${fake.url}${paths.page}` },
      },
    });
  };
  beforeAll(async () => {
    slack = await AuthorizationFake.start('slack');
    code = await AuthorizationFake.start('github-code');
    microsoft = await AuthorizationFake.start('microsoft-graph');
    await offer(
      slack,
      point.slack,
      { connector: 'chat', provider: 'chat_slack', application: 'rotating' },
      { page: '/oauth/v2/authorize', token: '/api/oauth.v2.access' },
    );
    await offer(
      code,
      point.code,
      { connector: 'identity', provider: 'identity_github', application: 'expiring' },
      { page: '/login/oauth/authorize', token: '/login/oauth/access_token' },
    );
    await offer(
      microsoft,
      point.microsoft,
      { connector: 'identity', provider: 'identity_entra_id', application: 'web' },
      {
        page: '/organizations/oauth2/v2.0/authorize',
        token: '/organizations/oauth2/v2.0/token',
      },
    );
  }, 60_000);
  afterAll(async () => {
    await slack.stop();
    await code.stop();
    await microsoft.stop();
  });

  const slackSession = (more: object = {}) =>
    connect.createSession({
      integration_point_id: point.slack,
      providers: ['chat_slack'],
      ...more,
    });
  const atSlack = async (page: Page) => {
    // They are unfolded where all fields are optional.
    await page.getByLabel('Address (URL)').fill(`${slack.url}/api`);
  };
  type Place = Pick<Page, 'getByRole'>;
  /** Presses the button, and decides in the window that opens. */
  const decide = async (
    page: Page,
    button: string,
    decision: 'Allow' | 'Cancel',
    in_: Place = page,
  ) => {
    const opened = page.context().waitForEvent('page');
    await in_.getByRole('button', { name: button, exact: true }).click();
    const popup = await opened;
    await popup.getByRole('link', { name: decision }).click();
    await popup
      .getByText(decision === 'Allow' ? 'is connected' : /was declined|wurde abgelehnt/)
      .waitFor();
    expect(await popup.evaluate('opener')).toBeNull();
    await popup.close();
  };
  const slackButton = 'Connect with \u2068Slack\u2069';

  it('connects by a click at the provider, returns to the page of the host, and asks no foreign host', async () => {
    const { url } = await slackSession({ return_url: `${product.origin}/back` });
    const page = await stage.open({ origins: [product.origin] });
    await page.goto(url);
    await page.getByText('What \u2068Slack\u2069 will ask you to permit').click();
    await page.getByText('channels:history', { exact: true }).waitFor();
    expect(await page.getByLabel('Secret').count()).toBe(0);
    await atSlack(page);
    await stage.tab.expectAccessible('before the provider is asked');
    await decide(page, slackButton, 'Allow');
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor({ timeout: 60_000 });
    expect(new URL(page.url()).searchParams.get('status')).toBe('complete');
  });

  it('says that the grant was declined, and lets somebody try again or type the access', async () => {
    const { token } = await slackSession({ locale: 'de' });
    const page = await connect.open(`session=${token}`);
    await decide(page, 'Mit \u2068Slack\u2069 verbinden', 'Cancel');
    await page.getByRole('alert').getByText('Der Zugang wurde abgelehnt').waitFor();
    await stage.tab.expectAccessible('declined');
    await page.getByRole('button', { name: 'Zugang stattdessen selbst eingeben' }).click();
    await page.getByLabel('Geheimnis').waitFor();
  });

  it('goes on over a reload, and names what was not granted', async () => {
    const { token } = await slackSession();
    const page = await connect.open(`session=${token}`);
    await atSlack(page);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: slackButton, exact: true }).click();
    const popup = await opened;
    await popup.getByRole('link', { name: 'Allow' }).waitFor();
    await page.reload();
    await page.getByText('Decide in the window of').waitFor();
    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
    const decision = new URL(popup.url());
    decision.searchParams.set('decision', 'allow');
    decision.searchParams.set('granted', 'chat:write');
    await popup.goto(decision.href);
    await page.getByText('These permissions were not granted').waitFor();
    await page
      .getByText(/users:read\.email/)
      .first()
      .waitFor();
  });

  it('keeps what was typed for the other fields, and cancels', async () => {
    const { token } = await connect.createSession({
      integration_point_id: point.code,
      providers: ['identity_github'],
    });
    const page = await connect.open(`session=${token}`);
    const name = 'Connect with \u2068GitHub\u2069';
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name, exact: true }).click();
    await (await opened).close();
    await page.getByRole('button', { name: 'Cancel' }).click();
    // The text is announced too, so two elements may have it.
    await page.getByText('Cancelled. Nothing was stored.').first().waitFor();
    await page.getByLabel('Organization name in addresses').fill('alderpoint');
    await page.getByText(/^Optional fields/).click();
    await page.getByLabel('Address (URL)').fill(code.url);
    await decide(page, name, 'Allow');
    await page.getByRole('heading', { name: /is connected/ }).waitFor();
  });

  it('asks nobody for what the provider tells with the grant, and stores it', async () => {
    const { token } = await connect.createSession({
      integration_point_id: point.microsoft,
      providers: ['identity_entra_id'],
    });
    const page = await connect.open(`session=${token}`);
    await page.getByLabel('Address (URL)').fill(microsoft.url);
    expect(await page.getByLabel('Tenant').count()).toBe(0);
    await decide(page, 'Connect with \u2068Microsoft\u2069', 'Allow');
    await page.getByRole('heading', { name: /is connected/ }).waitFor();
    const { result } = await stage.call<{ provider_config: object }[]>(
      'GET',
      `/v1/integrations/${connect.accountId}?filter=fullname[eq]"Microsoft Entra ID"`,
    );
    expect(result.map((one) => one.provider_config)).toEqual([
      expect.objectContaining({ tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3' }),
    ]);
  });

  it('asks before it renews the access of an integration at another tenant than before', async () => {
    const { result } = await stage.call<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${connect.accountId}`,
      {
        fullname: 'moved',
        integration_point_id: point.microsoft,
        provider_config: {
          type: 'identity_entra_id',
          tenant_id: 'the-tenant-before',
          url: microsoft.url,
          credential: { type: 'token', secret: 'of-before' },
        },
      },
    );
    const { id } = result.integration;
    const { token } = await connect.createSession({
      integration_point_id: point.microsoft,
      integration_id: id,
    });
    const page = await connect.open(`session=${token}`);
    await decide(page, 'Connect with \u2068Microsoft\u2069', 'Allow');
    await page.getByText(/names .*3f1c9a52.*, and .*the-tenant-before.* is connected/).waitFor();
    await page.getByRole('button', { name: 'Renew access' }).click();
    await page.getByRole('heading', { name: /moved.* is renewed/ }).waitFor();
    const path = `/v1/integrations/${connect.accountId}/${id}`;
    const read = await stage.call<{ provider_config: object }>('GET', path);
    expect(read.result.provider_config).toMatchObject({
      tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3',
    });
  });

  it('opens from a link, and in a frame of the host', async () => {
    const { token } = await slackSession({ link: true });
    const page = await connect.open(`link=${token}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await atSlack(page);
    await decide(page, slackButton, 'Allow');
    await page.getByRole('heading', { name: /is connected/ }).waitFor();
    expect(await stage.closeTab()).toEqual([]);

    const framed = (await slackSession({ origin: product.origin })).token;
    product.html = `<!doctype html><html lang="en"><title>Product</title><body>
      <script src="${stage.url}/connect.js"></script>
      <script>
        Onefold.connect({ organization: '${stage.organization}', session: ${JSON.stringify(framed)},
          onSuccess: () => { document.title = 'Connected'; } });
      </script>`;
    const host = await stage.open({ origins: [product.origin] });
    await host.goto(product.origin);
    const frame = host.frameLocator('iframe');
    await frame.getByLabel('Address (URL)').fill(`${slack.url}/api`);
    await decide(host, slackButton, 'Allow', frame);
    await host.waitForFunction(`document.title === 'Connected'`);
  }, 180_000);

  it('offers no such button where the host has no application', async () => {
    const token = await connect.session({ providers: ['ticketing_github'] });
    const page = await connect.open(`session=${token}`);
    await page.getByLabel('Repository').waitFor();
    expect(await page.getByRole('button', { name: /^Connect with/ }).count()).toBe(0);
  });
}
