import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  chromiumPath,
  createMigratedDatabase,
  inBrowser,
  lockNetwork,
  startChromium,
  type TestDatabase,
} from '#test/harness';
import { Simulator } from '#test/simulators';
import { admin, newFolder } from '../e2e/onefold.js';
import { type Running, startApp } from '../e2e/processes.js';
import { github } from '../simulators/github/github.js';
import { ConsolePage, type PageOptions } from './console-page.js';

/** Fits several waits that are as long as they may be. */
const maxBrowserTestMs = 600_000;

/** The service, the browser and a provider that all specs of the console share; the values are there once the specs run. */
export class Stage {
  url = '';
  /** Address of the console, as the service has printed it. */
  printed = '';
  token = '';
  integrationToken = '';
  githubUrl = '';
  readonly github = new Simulator(github);
  private database: TestDatabase | undefined;
  private onefold: Running | undefined;
  private browser: Browser | undefined;
  private opened: ConsolePage | undefined;
  private release: (() => Promise<void>) | undefined;
  private readonly folder = newFolder();

  /** The tab of the running spec. */
  get tab(): ConsolePage {
    if (this.opened === undefined) throw new Error('the spec has not opened a page');
    return this.opened;
  }

  async start(): Promise<void> {
    this.database = await createMigratedDatabase();
    const onefold = startApp('standalone', ['--port', '0'], {
      DATABASE_URL: this.database.url,
      DATA_FOLDER: this.folder,
      EGRESS_ALLOW: '127.0.0.1/32', // the provider of the specs
    });
    this.onefold = onefold;
    this.githubUrl = await this.github.listen(0);
    this.browser = await startChromium();
    [, this.printed = ''] = await onefold.says(/^Console: (\S+)$/m);
    [, this.token = ''] = await onefold.says(/^Organization token: (\S+)$/m);
    [, this.integrationToken = ''] = await onefold.says(/^Integration token: (\S+)$/m);
    this.url = new URL(this.printed).origin;
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.onefold?.stop();
    await this.github.close();
    await this.database?.drop();
    rmSync(this.folder, { recursive: true, force: true });
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
    return await admin(
      { DATABASE_URL: this.database?.url ?? '', DATA_FOLDER: this.folder },
      ...args,
    );
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

/** Starts the stage before the specs of a suite, and checks after each that nothing happened that must not. */
export function useStage(): Stage {
  jest.setTimeout(maxBrowserTestMs);
  const stage = new Stage();
  beforeAll(() => stage.start());
  afterAll(() => stage.stop());
  afterEach(async () => {
    expect(await stage.closeTab()).toEqual([]);
  });
  return stage;
}

/** A suite with a stage of its own. It is skipped where no Chromium is installed. */
export function describeInBrowser(title: string, specs: (stage: Stage) => void): void {
  (chromiumPath ? describe : describe.skip)(inBrowser(title), () => specs(useStage()));
}
