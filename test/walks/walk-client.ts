import { expect } from 'expect'; // without Jest too, `npm run fuzz -- http` makes its requests from walks
import { type OperationId, operationOf, type Problem, type Result } from '#contract';
import type { Client, LooseParts } from '../e2e/client.js';
import { identityOf, ocsfFaults } from '#apps/provider-kit';

/** Rows that are compared: the lists of the vendors' own specs are compared whole. */
const maxRows = 20;

interface Page {
  result?: Record<string, unknown>[];
  cursor?: string;
  /** PENDING while the provider works: the list goes on with the cursor. */
  status?: string;
}

interface DryRun {
  dry_run: { requests: { url?: string; needs?: string[] }[] };
}

/** The responses of the vendor, by URL. */
interface Shown {
  api?: { response?: { list?: object } };
}

/**
 * Calls a running Onefold as a walk does. Records are held against the lint of OCSF, the first call of each operation must have reached the
 * vendor, and each list that the walk calls is read again in two pages.
 */
export class WalkClient {
  /** Lists that the walk called, with the rows of the longest: those with fewer than two have no second page. */
  readonly rows = new Map<OperationId, number>();

  private readonly shown = new Set<OperationId>();

  /** The addresses that the last dry run of an operation named. */
  private readonly predicted = new Map<OperationId, string[]>();

  /** Operations that were tried without doing. */
  private readonly tried = new Set<OperationId>();

  constructor(private readonly client: Client) {}

  async call<Id extends OperationId>(id: Id, parts: LooseParts = {}): Promise<Result<Id>> {
    const isFirst = operationOf(id).meta && !this.shown.has(id);
    const body = await (isFirst ? this.callAndLook(id, parts) : this.callOnce(id, parts));
    if (isList(id) && (this.rows.get(id) ?? 0) < 2) await this.readTwoPages(id, parts.path ?? {});
    return body;
  }

  refuse(id: OperationId, status: number, parts: LooseParts = {}): Promise<Problem> {
    return this.client.refuse(id, status, parts as never);
  }

  /** Calls for the first time, and looks at what the vendor was asked: its fake refuses requests that it has no route for. */
  private async callAndLook<Id extends OperationId>(
    id: Id,
    parts: LooseParts,
  ): Promise<Result<Id>> {
    this.shown.add(id);
    const query = { meta: 'api/response(list)', ...(parts.query as object | undefined) };
    const body = await this.callOnce(id, { ...parts, query });
    const { meta, ...others } = (body ?? {}) as { meta?: Shown };
    if (query.meta !== 'api/response(list)' || meta === undefined || meta === null) return body;
    const asked = Object.keys(meta.api?.response?.list ?? {});
    expect([id, asked]).not.toEqual([id, []]);
    expect([id, asked]).toEqual([id, expect.arrayContaining(this.predicted.get(id) ?? [])]);
    return others as Result<Id>;
  }

  private async callOnce<Id extends OperationId>(id: Id, parts: LooseParts): Promise<Result<Id>> {
    if (operationOf(id).dryRun) await this.tryWithoutDoing(id, parts);
    const body = await this.client.call(id, parts as never);
    // Some responses are a file, or have no body.
    const result = typeof body === 'object' && body !== null ? (body as Page).result : undefined;
    expect([id, ocsfFaults(id, result)]).toEqual([id, []]);
    return body;
  }

  /** Asks what the vendor would get, which must change nothing: the same call is made behind it. */
  private async tryWithoutDoing(id: OperationId, parts: LooseParts): Promise<void> {
    const query = { ...(parts.query as object | undefined), dry_run: true };
    const { status, body, text } = await this.client.send<DryRun>(id, { ...parts, query });
    if (status === 501 && text.includes('its records are in Onefold')) return;
    expect([id, status, text]).toEqual([id, 200, text]);
    // A message that is cleared already needs no request.
    if (!this.tried.has(id)) expect([id, body.dry_run.requests.length]).not.toEqual([id, 0]);
    this.tried.add(id);
    const urls = body.dry_run.requests.flatMap(({ url }) => url ?? []);
    this.predicted.set(id, urls);
    for (const one of body.dry_run.requests)
      expect([id, one, one.url !== undefined || one.needs !== undefined]).toEqual([id, one, true]);
  }

  /** Compares the first rows of a list with two pages that have a half of them each. */
  private async readTwoPages(id: OperationId, path: unknown): Promise<void> {
    const { rows } = await this.readPage(id, path, maxRows, '');
    this.rows.set(id, Math.max(rows.length, this.rows.get(id) ?? 0));
    if (rows.length < 2) return;
    const limit = Math.ceil(rows.length / 2);
    const first = await this.readPage(id, path, limit, '');
    expect([id, first.cursor]).not.toEqual([id, '']);
    const second = await this.readPage(id, path, limit, first.cursor);
    const ids = [...first.rows, ...second.rows].map(identityOf);
    expect([id, ids.slice(0, rows.length)]).toEqual([id, rows.map(identityOf)]);
  }

  private async readPage(
    id: OperationId,
    path: unknown,
    limit: number,
    cursor: string,
  ): Promise<{ rows: Record<string, unknown>[]; cursor: string }> {
    let page: Page;
    do {
      page = (await this.callOnce(id, { path, query: { limit, cursor } })) as Page;
      cursor = page.cursor ?? '';
    } while (page.status === 'PENDING' && cursor !== '');
    return { rows: page.result ?? [], cursor };
  }
}

function isList(id: OperationId): boolean {
  const { method, response, query } = operationOf(id);
  return method === 'GET' && response.cursor && query['limit'] !== undefined;
}
