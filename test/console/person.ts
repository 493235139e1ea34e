import { expect } from '@jest/globals';
import type { Locator, Page, Response } from 'playwright-core';

/** The API gives no larger page. */
const maxPage = 1_000;
/** Lists of what this version has. */
const limitedByService = /^\/v1\/(?:capabilities\/|permissionsets$)/;
/** Lists that the specification gives no pages. */
const withoutPages = /^\/v1\/(?:auth\/sso|suborgs)$/;

interface List {
  address: string;
  limit: number;
  rows: number;
}

/**
 * Somebody at the console, whose actions are counted. An action is a click, a choice in a list, a field that is typed into (with the Enter
 * that ends it), or a key that leads somewhere. Reading and scrolling are none.
 */
export class Person {
  private actions = 0;
  /** Distinct addresses that the page has read: screens ask again while they are shown. */
  private read = new Set<string>();
  private readonly lists: Promise<List | undefined>[] = [];

  constructor(readonly page: Page) {
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.method() === 'GET' && pathname.startsWith('/v1/'))
        this.read.add(pathname + search);
    });
    page.on('response', (response) => this.lists.push(listOf(response)));
  }

  async press(control: Locator): Promise<void> {
    this.actions += 1;
    await control.click();
  }

  async type(field: Locator, text: string, end?: 'Enter'): Promise<void> {
    this.actions += 1;
    await field.fill(text);
    if (end) await field.press(end);
  }

  async choose(list: Locator, option: string): Promise<void> {
    this.actions += 1;
    await list.selectOption(option);
  }

  async key(key: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }

  /** Finds something by a part of its name in a field that searches all of its kind. */
  async find(label: string, text: string, within: Locator | Page = this.page): Promise<void> {
    await this.type(within.getByRole('combobox', { name: label, exact: true }), text);
    await this.press(within.getByRole('option', { name: text }).first());
  }

  /** Does something, and expects no more actions, and no more reads until it is shown. */
  async within(
    name: string,
    max: { actions: number; reads: number },
    work: () => Promise<void>,
  ): Promise<void> {
    this.actions = 0;
    this.read = new Set();
    await work();
    const { actions } = this;
    const reads = this.read.size;
    const isMet = actions <= max.actions && reads <= max.reads;
    expect({ name, actions, reads, addresses: isMet ? [] : [...this.read] }).toEqual({
      name,
      actions: Math.min(actions, max.actions),
      reads: Math.min(reads, max.reads),
      addresses: [],
    });
  }

  /** Expects that the page has asked for lists with a limit, and got no more. */
  async expectLimitedLists(): Promise<void> {
    const lists = (await Promise.all(this.lists)).flatMap((one) => one ?? []);
    expect(lists).not.toEqual([]);
    const isLimited = ({ limit, rows }: List) => limit >= 1 && limit <= maxPage && rows <= limit;
    expect(lists.filter((one) => !isLimited(one))).toEqual([]);
  }
}

async function listOf(response: Response): Promise<List | undefined> {
  const { pathname, search, searchParams } = new URL(response.url());
  if (!pathname.startsWith('/v1/') || limitedByService.test(pathname)) return undefined;
  if (response.request().method() !== 'GET') return undefined;
  // A page that is left takes its responses along.
  const body = (await response.json().catch(() => undefined)) as { result?: unknown } | undefined;
  if (!Array.isArray(body?.result)) return undefined;
  const asked = searchParams.get('limit');
  const limit = asked === null && withoutPages.test(pathname) ? maxPage : Number(asked);
  return { address: pathname + search, limit, rows: body.result.length };
}
