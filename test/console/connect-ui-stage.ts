import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PageOptions } from './console-page.js';
import { type Stage, useStage } from './stage.js';

/** The product of a host: a page of its own origin, which specs give its content. */
export class HostProduct {
  private readonly server: Server = createServer((request, response) => {
    if (request.url === '/connect-session') {
      response.end(JSON.stringify({ token: this.token }));
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(request.url?.startsWith('/back') ? '<h1>Welcome back</h1>' : this.html);
  });
  html = '';
  /** The token that its server gives to its page. */
  token = '';

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface CreatedSession {
  token: string;
  url: string;
  session: { id: string };
}

interface Integration {
  id: string;
  refresh_token_id: string;
  updated_at: string;
}

export const theme = {
  product_name: 'Acme Desk',
  accent: '#ffee00',
  help_url: 'https://acme.example.com/help',
};

/** Shared by the specs of the Connect UI: the service, a host's product with a listed origin, and another site. */
export class ConnectUiStage {
  readonly product = new HostProduct();
  readonly elsewhere = new HostProduct();
  accountId = '';
  readonly point = 'customer-desk';

  constructor(readonly stage: Stage) {}

  async start(): Promise<void> {
    const { stage } = this;
    await this.product.listen();
    await this.elsewhere.listen();
    await stage.call('POST', '/v1/integration-points', {
      name: this.point,
      connector: 'ticketing',
      environments: { test: ['*'], prod: ['*'] },
    });
    const { result } = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    this.accountId = result[0]?.id ?? '';
    await this.setTheme(theme);
  }

  async setTheme(look: object): Promise<void> {
    const connect = { origins: [this.product.origin], theme: look };
    await this.stage.call('PATCH', '/v1/organization', [
      { op: 'add', path: '/options', value: { connect } },
    ]);
  }

  async resetTheme(): Promise<void> {
    await this.setTheme(theme);
  }

  /** Makes a session, as the host's server does. */
  async createSession(body: object = {}): Promise<CreatedSession> {
    const { result } = await this.stage.call<CreatedSession>(
      'POST',
      `/v1/connect/${this.accountId}/sessions`,
      { integration_point_id: this.point, ...body },
    );
    return result;
  }

  /** Makes a session. @returns its token */
  async session(body: object = {}): Promise<string> {
    return (await this.createSession(body)).token;
  }

  async pointId(): Promise<string> {
    const path = `/v1/integration-points/${this.point}`;
    return (await this.stage.call<{ id: string }>('GET', path)).result.id;
  }

  /** Makes an integration of the point, as the host does. */
  async createIntegration(fullname: string): Promise<{ integration: Integration; token: string }> {
    const { result } = await this.stage.call<{
      integration: Integration;
      token: { access: { secret: string } };
    }>('POST', `/v1/integrations/${this.accountId}`, {
      fullname,
      integration_point_id: this.point,
      provider_config: {
        type: 'ticketing_github',
        repository: 'alderpoint/desk',
        url: this.stage.githubUrl,
        credential: { type: 'token', secret: this.stage.githubSecret },
      },
    });
    return { integration: result.integration, token: result.token.access.secret };
  }

  /** Opens the page with a fragment such as `session=…`. */
  async open(fragment: string, options?: PageOptions): Promise<Page> {
    const page = await this.stage.open(options);
    await page.goto(`${this.stage.url}/connect/${this.stage.organization}/#${fragment}`);
    return page;
  }

  /** Opens the page of a session for GitHub Issues, with its form. */
  async openForm(body: object = {}, options?: PageOptions): Promise<Page> {
    const token = await this.session({ providers: ['ticketing_github'], ...body });
    const page = await this.open(`session=${token}`, options);
    // Its labels are in the language of the session.
    await page.locator('form.card input').first().waitFor();
    return page;
  }

  async fill(page: Page, url: string, secret: string): Promise<void> {
    await page.getByText(/^Optional fields/).click();
    await page.getByLabel('Repository').fill('alderpoint/desk');
    await page.getByLabel('Address (URL)').fill(url);
    await page.getByLabel('Secret').fill(secret);
  }

  async stop(): Promise<void> {
    await this.product.close();
    await this.elsewhere.close();
  }
}

export function useConnectUi(stage = useStage()): ConnectUiStage {
  const connect = new ConnectUiStage(stage);
  beforeAll(() => connect.start());
  afterAll(() => connect.stop());
  return connect;
}
