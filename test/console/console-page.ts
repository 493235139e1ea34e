import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { eventually, maxWaitMs } from '#test/harness';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Screens poll every 15 s, some more often. */
const pollMs = 15_000;
/** Most polls are answered within this; where one is not, another one follows. */
const answerMs = 300;

export interface PageOptions {
  width?: number;
  colorScheme?: 'light' | 'dark';
  locale?: string;
  /** Further origins that requests may go to, such as that of a page that frames ours. */
  origins?: readonly string[];
}

/** A tab with the console, which notes everything that must not happen. */
export class ConsolePage {
  /** Messages on the browser's console, violations of the policy, errors of scripts, requests to other hosts. */
  readonly faults: string[] = [];
  /** Origins besides the console's that a spec goes to, such as that of an identity provider. */
  readonly otherOrigins = new Set<string>();
  /** Method and path of the requests to the API. */
  readonly requests: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly url: string,
  ) {}

  static async open(
    browser: Browser,
    url: string,
    options: PageOptions = {},
  ): Promise<ConsolePage> {
    const { width = 1_280, colorScheme = 'light', locale = 'en-US', origins = [] } = options;
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      locale,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(2 * maxWaitMs); // the browser itself needs two cores
    const tab = new ConsolePage(await context.newPage(), context, url);
    tab.watch([url, ...origins]);
    return tab;
  }

  private watch(origins: readonly string[]): void {
    const { page, faults } = this;
    const isElsewhere = () => this.otherOrigins.has(new URL(page.url()).origin);
    page.on('console', (message) => {
      // The browser says so of every response that is an error; specs that cause one look at what the page shows.
      const isResponse = message.text().startsWith('Failed to load resource: the server responded');
      if (message.type() === 'error' && !isResponse && !isElsewhere()) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const { origin, protocol, pathname } = new URL(request.url());
      const isForeign = !origins.includes(origin) && !this.otherOrigins.has(origin);
      if (protocol !== 'data:' && isForeign && !isElsewhere()) faults.push(request.url());
      if (pathname.startsWith('/v1/')) this.requests.push(`${request.method()} ${pathname}`);
    });
  }

  /** Requests that change something. */
  get writes(): readonly string[] {
    return this.requests.filter((one) => !one.startsWith('GET '));
  }

  async show(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`);
  }

  /** Goes to a screen by its entry in the menu, which is folded on narrow screens. */
  async choose(screen: string): Promise<void> {
    const menu = this.page.getByRole('navigation', { name: 'Screens' });
    const fold = menu.getByRole('button', { name: 'Menu' });
    if (await fold.isVisible()) await fold.click();
    await menu.getByRole('link', { name: screen, exact: true }).click();
  }

  /** Chooses an integration, as people find it: by a part of its name. */
  async chooseIntegration(name: string, within: Locator | Page = this.page): Promise<void> {
    await this.chooseFound('Integration', name, within);
  }

  /** Chooses what a field finds by a text. */
  async chooseFound(
    label: string,
    text: string,
    within: Locator | Page = this.page,
  ): Promise<void> {
    await within.getByRole('combobox', { name: label, exact: true }).fill(text);
    await within.getByRole('listbox').getByRole('option', { name: text }).first().click();
  }

  /** Logs on by a token, and waits for the overview. */
  async logOn(token: string): Promise<void> {
    await this.show('/');
    await this.pasteToken(token);
    await this.page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  /** Shows a screen to who has a token, without the overview that a logon shows first. */
  async showTo(token: string, path: string): Promise<void> {
    await this.show(`${path}#token=${token}`);
    await this.page.getByRole('button', { name: 'Log on', exact: true }).click();
    // Before, another address would be shown to nobody.
    await this.expectValue("sessionStorage.getItem('onefold.session') !== null", true);
  }

  async pasteToken(token: string): Promise<void> {
    await this.page.getByLabel('Organization token').fill(token);
    await this.page.getByRole('button', { name: 'Log on', exact: true }).click();
  }

  /** Sets a clock for {@link expectPolled} and {@link afterPolls}. Call it before something is shown. */
  async setClock(): Promise<void> {
    await this.page.clock.install();
  }

  /** Waits for what the page shows after it has polled again. */
  async expectPolled(shown: Locator): Promise<void> {
    await this.afterPolls(() => shown.first().waitFor({ timeout: answerMs }));
  }

  /** Repeats an assertion until it holds. In between the clock of the page goes ahead to the next poll. */
  async afterPolls(assert: () => Promise<void>): Promise<void> {
    await eventually(async () => {
      try {
        await assert();
      } catch (error) {
        await this.page.clock.fastForward(pollMs);
        await sleep(answerMs);
        throw error;
      }
    });
  }

  /** Waits until an expression in the page has a value: the focus moves, and the title changes, after what is shown. */
  async expectValue(expression: string, expected: unknown): Promise<void> {
    await eventually(async () => expect(await this.page.evaluate(expression)).toEqual(expected));
  }

  /** Waits until a field has the focus. */
  async expectFocus(label: string): Promise<void> {
    await this.expectValue('document.activeElement.labels?.[0]?.innerText', label);
  }

  /** Waits until a field contains a text. */
  async expectInput(field: Locator, text: string): Promise<void> {
    await eventually(async () => expect(await field.inputValue()).toBe(text));
  }

  /** Expects no violation of WCAG 2.2 A and AA, and no sideways scrolling of the page. */
  async expectAccessible(name: string): Promise<void> {
    if (await this.page.evaluate("typeof axe === 'undefined'")) await this.page.evaluate(axe);
    // Menu, header and drawer stay while the page is scrolled, and a control that is half below one of them is too small to be hit then.
    // Where none stays, it does not matter what moves when a response comes during the check.
    const violations = await this.page.evaluate(
      `document.querySelectorAll('.top, .menu, .drawer').forEach(({ style }) => { style.position = 'static'; }),
      axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 300)))`,
    );
    expect({ name, violations }).toEqual({ name, violations: [] });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect({ name, overflow: await this.page.evaluate(overflow) }).toEqual({ name, overflow: 0 });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
