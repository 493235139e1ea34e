import { describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { EgressPolicy } from '#egress';
import { FakeDispatcher, FakeEngine, MemoryStorage, readFake } from '#fakes';
import { compileProvider } from '#provider-document';
import type { ListPages } from '../provider.js';
import { scan, type ScanPosition } from '../lists/stream-list.js';
import { documentCall, plainHttp } from './document-call.fixture.js';
import { documentProvider } from './document-provider.js';

const fake = readFake(`
fake: desk
collections:
  tickets:
    from: this.world.tickets
    id: this.id
    row: root = this.it
errors:
  body: root.error = this.error.message
  no_route: { status: 404, message: no such route }
  no_method: { status: 405, message: no such method }
  bad_parameter: { status: 400, message: '{this.error.detail}' }
  bad_body: { status: 400, message: '{this.error.detail}' }
  not_found: { status: 404, message: no such ticket }
  limited: { status: 429, message: slow down }
  failure: { status: 500, message: it broke }
styles:
  tickets:
    parameters: { limit: { type: integer }, page: { type: integer }, after: { type: integer } }
    list: { from: tickets, where: this.row.status == "open", order: '[{"field": "id"}]' }
    body: root.tickets = this.rows
routes:
  GET /pages:
    like: tickets
    list: { page: { kind: number, at: this.query.page, size: this.query.limit } }
  GET /keys:
    like: tickets
    list: { page: { kind: values, after: 'if this.query.after != null { [this.query.after] }', size: this.query.limit } }
  POST /tickets/{id}/close:
    change: tickets
    id: this.path.id.number()
    missing: not_found
    row: root.status = "closed"
    body: root = this.result.row
`);

const byPage = `
page: { kind: page, size: 4, count: this.body.tickets.length() }
steps:
  - { path: /pages, query: "root.limit = this.page.limit\\nroot.page = this.page.number" }
rows: this.steps.call.tickets`;

const byKey = (page = 'key: this.row.id', rows = 'this.steps.call.tickets') => `
page: { kind: keyset, size: 4, ${page} }
steps:
  - { path: /keys, query: "root.limit = this.page.limit\\nroot.after = this.page.key" }
rows: ${rows}`;

/** A desk with 8 open tickets, of which tests close some between two pages. */
class Desk {
  private readonly engine = new FakeEngine(fake, {
    storage: new MemoryStorage(),
    makeWorld: () => ({
      tickets: Array.from({ length: 8 }, (_, index) => ({ id: index + 1, status: 'open' })),
    }),
    clock: () => Date.now(),
    start: new Date(),
    dataset: 'BASIC',
    key: 'specs',
  });

  async close(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const url = `https://desk.test/tickets/${id}/close`;
      const { status } = await this.engine.handle({
        method: 'POST',
        url,
        headers: {},
        body: new Uint8Array(),
      });
      expect(status).toBe(200);
    }
  }

  async pages(operation: string): Promise<ListPages> {
    const provider = documentProvider(
      compileProvider(`
provider: custom_desk
version: 1.0.0
fullname: Desk
vendor: Tests
http: { base_url: '"https://desk.test"' }
operations:
  custom_query:
${operation.trimEnd().replace(/^/gm, '    ')}
`),
    );
    const http = plainHttp({
      dispatcher: new FakeDispatcher(this.engine),
      policy: new EgressPolicy(),
    });
    const result = await provider.operations['custom_query' as OperationId]?.run(
      documentCall({ http }),
      {},
    );
    if (result === undefined || !('pages' in result))
      throw new Error('the result is not a list in pages');
    return result.pages;
  }

  /** Reads the list as callers do, with a cursor after each page, and closes all tickets of a page before the next is read. */
  async readAndClose(operation: string, limit: number): Promise<number[]> {
    const pages = await this.pages(operation);
    const seen: number[] = [];
    let from: ScanPosition | undefined;
    do {
      const options = { limit, from, pageSize: limit, isOver: () => false };
      const { rows, next } = await scan(pages, (row) => row, options);
      const ids = rows.map(({ id }) => Number(id));
      seen.push(...ids);
      await this.close(ids);
      from = next && (JSON.parse(JSON.stringify(next)) as ScanPosition);
    } while (from !== undefined);
    return seen;
  }
}

describe('a list whose rows leave the filter between two pages', () => {
  it('loses rows by page numbers', async () => {
    expect(await new Desk().readAndClose(byPage, 4)).toEqual([1, 2, 3, 4]);
  });

  it.each([1, 3, 4, 5, 6, 8, 20])('loses none by keys, at %i rows a page', async (limit) => {
    expect(await new Desk().readAndClose(byKey(), limit)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('a list that is read by keys', () => {
  it('may have keys of several fields, and say itself whether there are more', async () => {
    const desk = new Desk();
    const query = byKey(
      'more: this.body.tickets.length() > 0, key: \'{"at": [this.row.id, this.body.tickets.length()]}\'',
    ).replace('this.page.key', 'this.page.key.at.index(0) | deleted()');
    expect(await desk.readAndClose(query, 3)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each([
    ['no key', byKey('key: this.row.nummer'), 'page.key: the row has no key'],
    ['the key before', byKey('key: 2'), 'the provider returned the same page'],
    [
      'no row to continue from',
      byKey('count: this.body.tickets.length(), key: this.row.id', 'this.steps.call.none.or([])'),
      'has more rows, and returned none',
    ],
  ])('fails when a page has %s', async (_name, operation, message) => {
    await expect(new Desk().readAndClose(operation, 4)).rejects.toThrow(message);
  });

  it.each([
    [byKey('count: 1'), 'paging by keyset needs key'],
    [byKey('key: this.row.id, total: this.body.total'), 'paging by keyset has no total'],
    [byKey().replace('this.page.key', 'this.page.token'), 'this.page.token does not exist here'],
    [byPage.replace('size: 4', 'size: 4, key: this.row.id'), 'paging by page has no key'],
  ])('is checked: %#', async (operation, message) => {
    await expect(new Desk().pages(operation)).rejects.toThrow(message);
  });
});
