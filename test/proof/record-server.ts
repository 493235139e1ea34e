import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A batch that a sink got: the ids of its records, and whether it came again with other content. */
export interface Batch {
  ids: number[];
  hash: string;
  times: number;
  isChanged: boolean;
}

/**
 * A list of records to read (`/records`), a sink for them (`/in`) and a receiver of webhooks (`/hooks`), which remember what they got and keep
 * no bodies.
 */
export class RecordServer {
  /** Batches by their `Idempotency-Key`. */
  readonly batches = new Map<string, Batch>();
  /** How often each delivery came, by its id. */
  readonly deliveries = new Map<string, number>();
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(() => response.destroy());
  });

  private constructor(
    private readonly records: number,
    private readonly forgets: boolean,
  ) {}

  /** @param forgets takes batches without reading them, which a bench does not want to measure */
  static async start(records: number, { forgets = false } = {}): Promise<RecordServer> {
    const server = new RecordServer(records, forgets);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    if (pathname === '/records') {
      response.setHeader('content-type', 'application/json');
      response.end(
        this.page(Number(searchParams.get('offset')), Number(searchParams.get('limit'))),
      );
      return;
    }
    const body = await buffer(request);
    if (pathname === '/in') {
      if (!this.forgets) this.note(String(request.headers['idempotency-key']), body);
    } else {
      const id = String(request.headers['webhook-id']);
      this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
    }
    response.writeHead(204).end();
  }

  private page(offset: number, limit: number): string {
    const count = Math.max(0, Math.min(limit, this.records - offset));
    const items = Array.from({ length: count }, (_, index) => recordOf(offset + index));
    return JSON.stringify({ total: this.records, items });
  }

  private note(key: string, body: Buffer): void {
    const hash = createHash('sha256').update(body).digest('base64');
    const known = this.batches.get(key);
    if (known !== undefined) {
      known.times += 1;
      known.isChanged ||= known.hash !== hash;
      return;
    }
    const rows = JSON.parse(body.toString()) as { id: string }[];
    const ids = rows.map(({ id }) => Number(id));
    this.batches.set(key, { ids, hash, times: 1, isChanged: false });
  }
}

function recordOf(id: number) {
  return {
    ...{ id: String(id), name: `record-${id}`, summary: `The record number ${id}`, status: 'open' },
    ...{ creator: 'proof', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  };
}

/** The provider document that reads the list. */
export const recordsDocument = `
provider: custom_proof
version: 1.0.0
fullname: Proof
vendor: Proof
configuration:
  properties: { url: { type: string, format: uri } }
  required: [url]
http: { base_url: this.config.url }
operations:
  ticketing_query_tickets:
    response: ticket
    page: { kind: offset, size: 500, count: this.body.items.length(), total: this.body.total }
    steps:
      - name: records
        path: /records
        query: |
          root.offset = this.page.offset
          root.limit = this.page.limit
    rows: this.steps.records.items
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: root = this
`;
