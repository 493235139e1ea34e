import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  chromiumPath,
  connectChromium,
  inBrowser,
  lockNetwork,
  type RunningFake,
  startFake,
} from '#test/harness';
import { ConsolePage, type PageOptions } from './console-page.js';
import { joinConsole, type ServedConsole } from './served-console.js';

/** Fits several waits that are as long as they may be. */
const maxBrowserTestMs = 600_000;

/** The service, the browser and a provider that all specs of a suite share; the values are there once the specs run. */
export class Stage {
  url = '';
  /** Address of the console, as the service prints it. */
  printed = '';
  /** Name of the organization. */
  organization = '';
  token = '';
  integrationToken = '';
  githubUrl = '';
  /** The token of somebody who may do everything in the fake of GitHub. */
  githubSecret = '';
  private fake: RunningFake | undefined;
  private served: ServedConsole | undefined;
  private browser: Browser | undefined;
  private opened: ConsolePage | undefined;
  private release: (() => Promise<void>) | undefined;

  /** The fake of GitHub. */
  get github(): RunningFake {
    if (this.fake === undefined) throw new Error('the fake has not started');
    return this.fake;
  }

  /** The tab of the running spec. */
  get tab(): ConsolePage {
    if (this.opened === undefined) throw new Error('the spec has not opened a page');
    return this.opened;
  }

  async start(serve: () => Promise<ServedConsole>): Promise<void> {
    const served = await serve();
    this.served = served;
    this.fake = await startFake('github');
    this.githubUrl = this.fake.url;
    this.githubSecret = this.fake.credentials.secret ?? '';
    this.browser = await connectChromium();
    const { printed, organization, token, integrationToken } = served;
    Object.assign(this, { printed, organization, token, integrationToken });
    this.url = new URL(printed).origin;
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.served?.stop();
    await this.fake?.stop();
  }

  async open(options?: PageOptions): Promise<Page> {
    if (this.browser === undefined) throw new Error('the browser has not started');
    this.release ??= await lockNetwork('shared');
    this.opened = await ConsolePage.open(this.browser, this.url, options);
    return this.opened.page;
  }

  /** Closes the tab. @returns everything that must not have happened in it */
  async closeTab(): Promise<readonly string[]> {
    const tab = this.opened;
    this.opened = undefined;
    await tab?.close();
    await this.release?.();
    this.release = undefined;
    return tab?.faults ?? [];
  }

  /** Runs a command of the operator. */
  async admin(...args: string[]): Promise<string> {
    if (this.served === undefined) throw new Error('the service has not started');
    return await this.served.admin(...args);
  }

  /** Calls the API beside the browser. */
  async call<Result>(method: string, path: string, body?: unknown, by = this.token) {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect([path, response.ok, response.ok ? '' : text]).toEqual([path, true, '']);
    return (text === '' ? {} : JSON.parse(text)) as { result: Result };
  }

  async createToken(permission_set: string): Promise<{ id: string; secret: string }> {
    const { result } = await this.call<{ id: string; primary: { access: { secret: string } } }>(
      'POST',
      '/v1/tokens',
      { permission_set, resources: { organizations: { ids: ['*'] } } },
    );
    return { id: result.id, secret: result.primary.access.secret };
  }

  /** Ids of the integrations that exist. */
  async integrations(): Promise<string[]> {
    const { result } = await this.call<{ id: string }[]>('GET', '/v1/integrations?limit=200');
    return result.map(({ id }) => id);
  }
}

/**
 * Starts the stage before the specs of a suite, and checks after each that nothing happened that must not.
 * @param serve startConsole for specs that need a process of their own
 */
export function useStage(serve: () => Promise<ServedConsole> = joinConsole): Stage {
  jest.setTimeout(maxBrowserTestMs);
  const stage = new Stage();
  beforeAll(() => stage.start(serve));
  afterAll(() => stage.stop());
  afterEach(async () => {
    expect(await stage.closeTab()).toEqual([]);
  });
  return stage;
}

/** A suite with a stage. It is skipped where no Chromium is installed. */
export function describeInBrowser(title: string, specs: (stage: Stage) => void): void {
  (chromiumPath ? describe : describe.skip)(inBrowser(title), () => specs(useStage()));
}
