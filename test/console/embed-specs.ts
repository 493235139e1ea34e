import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { ConnectUiStage } from './connect-ui-stage.js';

interface Seen {
  events: { type: string }[];
  success: { integration_id: string }[];
  exits: string[];
}

/** Specs of the Connect UI in a frame of a host's page, which loads the embed script. */
export function embedSpecs(connect: ConnectUiStage): void {
  const { stage, product, elsewhere } = connect;

  /** Shows the page of a host with the script, and a button that opens the Connect UI. */
  const showProduct = async (session: string, more = '', at = product, width = 1_280) => {
    at.html = `<!doctype html><html lang="en"><title>Product</title><body>
      <button id="open">Connect GitHub</button><div id="place"></div>
      <script src="${stage.url}/connect.js"></script>
      <script>
        window.seen = { events: [], success: [], exits: [] };
        document.getElementById('open').onclick = () => {
          window.handle = Onefold.connect({
            organization: '${stage.organization}', session: ${JSON.stringify(session)},
            onEvent: (event) => seen.events.push(event),
            onSuccess: (event) => seen.success.push(event),
            onExit: (reason) => seen.exits.push(reason),
            ${more}
          });
        };
      </script>`;
    const page = await stage.open({ origins: [at.origin], width });
    await page.addInitScript(blockStorage);
    await page.goto(at.origin);
    return page;
  };
  const openConnect = async (session: string, more = '', width = 1_280) => {
    const page = await showProduct(session, more, product, width);
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    return page;
  };
  const seen = async () => await stage.tab.page.evaluate<Seen>('seen');
  const forProduct = (more: object = {}) =>
    connect.session({ origin: product.origin, providers: ['ticketing_github'], ...more });

  it.each([1_280, 320])(
    'connects in a page of the host without any storage, %i pixels wide, and tells it ids only',
    connectWithoutStorage,
  );

  async function connectWithoutStorage(width: number): Promise<void> {
    const token = await forProduct();
    const page = await openConnect(token, '', width);
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Repository').fill('alderpoint/desk');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.frames()[1]?.evaluate(overflow)).toBe(0);
    await frame.getByText(/^Optional fields/).click();
    await frame.getByLabel('Address (URL)').fill(stage.githubUrl);
    await frame.getByLabel('Secret').fill(stage.githubSecret);
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await frame.getByRole('heading', { name: /is connected/ }).waitFor();
    await frame.getByRole('button', { name: 'Done' }).click();
    await page.waitForFunction('seen.exits.length === 1');
    const { events, success, exits } = await seen();
    const message = { type: 'complete', provider_id: 'ticketing_github', created: true };
    const [{ integration_id } = { integration_id: '' }] = success;
    expect(success).toEqual([{ ...message, integration_id }]);
    expect(await stage.integrations()).toContain(integration_id);
    expect(exits).toEqual(['complete']);
    const names = events.map(({ type }) => type).filter((type) => type !== 'resize');
    expect(names).toEqual(['ready', 'verifying', 'verified', 'complete', 'closed']);
    const text = JSON.stringify(events);
    for (const secret of [token, stage.githubSecret, 'octo-org', stage.githubUrl])
      expect(text).not.toContain(secret);
    expect(await page.locator('iframe').count()).toBe(0);
    await stage.tab.expectValue('document.activeElement.id', 'open');
  }

  it('connects by the example of the docs', async () => {
    const docs = readFileSync(
      new URL('../../../docs/connect-sessions.md', import.meta.url),
      'utf8',
    );
    const [, example = ''] = /```html\n([^`]+)```/.exec(docs) ?? [];
    product.html = `<!doctype html><title>Product</title><body>${example
      .replace('https://onefold.example.com', stage.url)
      .replace('ORGANIZATION', stage.organization)}`;
    product.token = await forProduct({ providers: ['ticketing_mock_ticketing'] });
    const page = await stage.open({ origins: [product.origin] });
    const connected = page.waitForEvent('console', {
      predicate: (message) => message.text().startsWith('connected int_'),
    });
    await page.goto(product.origin);
    await page.getByRole('button', { name: 'Connect your help desk' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await connected;
  });

  it('opens one frame, and closes it with the focus where it was', async () => {
    const page = await openConnect(await forProduct());
    await page.frameLocator('iframe').getByLabel('Repository').waitFor();
    const isSame = `Onefold.connect({ organization: '${stage.organization}', session: 'other' }) === window.handle`;
    expect(await page.evaluate(isSame)).toBe(true);
    expect(await page.locator('iframe').count()).toBe(1);
    await page.evaluate('handle.close()');
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('open');
    await page.evaluate('handle.close()');
    expect((await seen()).exits).toEqual(['closed']);
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.frameLocator('iframe').getByRole('button', { name: 'Close' }).click();
    await page.waitForFunction('seen.exits.length === 2');
    expect((await seen()).exits).toEqual(['closed', 'cancelled']);
  });

  it('grows with its content in an element of the page', async () => {
    const more = "mount: document.getElementById('place')";
    const page = await openConnect(await forProduct(), more);
    await page.frameLocator('iframe').getByLabel('Repository').waitFor();
    await page.waitForFunction("seen.events.some(({ type }) => type === 'resize')");
    const isWhole = `(() => {
      const heights = seen.events.filter(({ type }) => type === 'resize').map(({ height }) => height);
      return document.getElementById('place').getBoundingClientRect().height >= heights.at(-1);
    })()`;
    await stage.tab.expectValue(isWhole, true);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('takes another session in place of one that has ended, and keeps the form', async () => {
    const first = await connect.createSession({
      origin: product.origin,
      providers: ['ticketing_github'],
    });
    const page = await openConnect(first.token);
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Repository').fill('alderpoint/desk');
    await frame.getByLabel('Secret').fill(stage.githubSecret);
    await frame.getByText(/^Optional fields/).click();
    await frame.getByLabel('Address (URL)').fill(stage.githubUrl);
    await stage.call('DELETE', `/v1/connect/${connect.accountId}/sessions/${first.session.id}`);
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.waitForFunction("seen.events.some(({ type }) => type === 'expired')");
    await page.evaluate(`handle.refresh(${JSON.stringify(await forProduct())})`);
    await frame.getByText('what you typed is still here').waitFor({ state: 'detached' });
    await frame.getByRole('button', { name: 'Connect', exact: true }).click();
    await frame.getByRole('heading', { name: /is connected/ }).waitFor();
  });

  it('is refused by the browser in a page of another origin', async () => {
    const page = await showProduct(await forProduct(), '', elsewhere);
    const refused = page.waitForEvent('console', {
      predicate: (message) => message.text().includes('frame-ancestors'),
    });
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await refused;
    expect((await seen()).events).toEqual([]);
    stage.tab.faults.length = 0;
  });

  it('refuses the session of another origin than that of the page', async () => {
    const page = await openConnect(await connect.session({ providers: ['ticketing_github'] }));
    await page
      .frameLocator('iframe')
      .getByRole('heading', { name: 'This page cannot be shown here' })
      .waitFor();
    expect((await seen()).events).toEqual([]);
  });

  it('ignores a hello of a frame beside it', async () => {
    const hello = (session: string) =>
      `{ type: 'onefold.hello', session: ${JSON.stringify(session)} }, '*', [channel.port2]`;
    const forged = await forProduct({ providers: ['ticketing_linear'] });
    product.html = `<!doctype html><title>Product</title><body>
      <iframe id="ours" src="${stage.url}/connect/${stage.organization}/"></iframe>
      <iframe id="beside" srcdoc="<p>Beside</p>"></iframe>`;
    const page = await stage.open({ origins: [product.origin] });
    await page.goto(product.origin);
    const [, , beside] = page.frames();
    await beside?.evaluate(`(() => {
      const channel = new MessageChannel();
      window.heard = [];
      channel.port1.onmessage = ({ data }) => heard.push(data);
      parent.frames[0].postMessage(${hello(forged)});
    })()`);
    await page.evaluate(`(() => {
      const channel = new MessageChannel();
      frames[0].postMessage(${hello(await forProduct())});
    })()`);
    await page.frameLocator('#ours').getByLabel('Repository').waitFor();
    expect(await beside?.evaluate('heard')).toEqual([]);
  });

  it('is framed by the listed origins alone, and by nobody where there are none', async () => {
    const policy = async (path: string) => {
      const { headers } = await fetch(`${stage.url}/connect/${path}`);
      return [
        /frame-ancestors [^;]+/.exec(headers.get('content-security-policy') ?? '')?.[0],
        headers.get('x-frame-options'),
      ];
    };
    expect(await policy(`${stage.organization}/`)).toEqual([
      `frame-ancestors ${product.origin}`,
      null,
    ]);
    for (const path of ['', 'nobody/', 'a%00b/'])
      expect([path, ...(await policy(path))]).toEqual([path, "frame-ancestors 'none'", 'DENY']);
    const script = await fetch(`${stage.url}/connect.js`);
    expect([script.status, new URL(script.url).pathname]).toEqual([200, '/connect/embed-1.js']);
    expect(script.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('is run by a page that pins the hash that the build has published, and not with another one', async () => {
    const { script, integrity } = (await (
      await fetch(`${stage.url}/connect/embed-1.json`)
    ).json()) as { script: string; integrity: string };
    product.html = '<!doctype html><title>Product</title>';
    const page = await stage.open({ origins: [product.origin] });
    await page.goto(product.origin);
    const load = async (hash: string) =>
      await page.evaluate<string>(`new Promise((resolve) => {
        const element = document.createElement('script');
        element.src = '${stage.url}/connect/${script}';
        element.integrity = '${hash}';
        element.crossOrigin = 'anonymous';
        element.onload = () => resolve(typeof Onefold.connect);
        element.onerror = () => resolve('refused');
        document.head.append(element);
      })`);
    expect(await load(`sha384-${'A'.repeat(64)}`)).toBe('refused');
    expect(await load(integrity)).toBe('function');
    stage.tab.faults.splice(
      0,
      Infinity,
      ...stage.tab.faults.filter((one) => !one.includes('digest')),
    );
  });
}

/** Does what a browser does that blocks the storage of third parties. */
const blockStorage = `
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });
  Object.defineProperty(document, 'cookie', { get() { throw new DOMException('blocked', 'SecurityError'); } });
`;
