import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A batch that a sink got: the ids of its records, and whether it came again with other content. */
export interface Batch {
  ids: number[];
  hash: string;
  times: number;
  isChanged: boolean;
}

/** A delivery that a receiver got: what it is about, and whether it came again with another body. */
export interface ReceivedDelivery {
  /** The path of the receiver and the account or record of the event, such as `/hooks/1 account-7`. */
  about: string;
  hash: string;
  times: number;
  isChanged: boolean;
}

/**
 * A list of records to read (`/records`), a sink for them (`/in`) and a receiver of webhooks (every other path), which remember what they got
 * and keep no bodies.
 */
export class RecordServer {
  /** Batches by their `Idempotency-Key`. */
  readonly batches = new Map<string, Batch>();
  /** Deliveries by their `webhook-id`. */
  readonly deliveries = new Map<string, ReceivedDelivery>();
  /** How many requests have come, repeated ones too, and the bytes of batches. */
  readonly received = { batches: 0, deliveries: 0, batchBytes: 0 };
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(() => response.destroy());
  });
  /** Answers wait until it resolves. */
  private gate: Promise<void> | undefined;

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

  /**
   * Keeps back the answers to batches and deliveries that come from now on. @returns when one of each kind waits, with what lets them go
   */
  async hold(until: number): Promise<() => void> {
    let release = (): void => undefined;
    const before = { ...this.received };
    this.gate = new Promise((resolve) => (release = resolve));
    const letGo = () => {
      this.gate = undefined;
      release();
    };
    const isMissing = (kind: keyof typeof before) => this.received[kind] === before[kind];
    while (isMissing('batches') || isMissing('deliveries')) {
      if (Date.now() > until) {
        letGo();
        throw new Error(`no more requests of both kinds came than ${JSON.stringify(before)}`);
      }
      await sleep(5);
    }
    return letGo;
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
      this.received.batches += 1;
      this.received.batchBytes += body.length;
      if (!this.forgets) this.note(String(request.headers['idempotency-key']), body);
    } else {
      this.received.deliveries += 1;
      this.noteDelivery(pathname, String(request.headers['webhook-id']), body);
    }
    await this.gate;
    response.writeHead(204).end();
  }

  private page(offset: number, limit: number): string {
    const count = Math.max(0, Math.min(limit, this.records - offset));
    const items = Array.from({ length: count }, (_, index) => recordOf(offset + index));
    return JSON.stringify({ total: this.records, items });
  }

  private noteDelivery(pathname: string, id: string, body: Buffer): void {
    const hash = hashOf(body);
    if (isRepeated(this.deliveries.get(id), hash)) return;
    const { account, ticket_id: ticket } = JSON.parse(body.toString()) as {
      account?: { name: string };
      ticket_id?: string;
    };
    const about = `${pathname} ${account?.name ?? ticket ?? ''}`;
    this.deliveries.set(id, { about, hash, times: 1, isChanged: false });
  }

  private note(key: string, body: Buffer): void {
    const hash = hashOf(body);
    if (isRepeated(this.batches.get(key), hash)) return;
    const rows = JSON.parse(body.toString()) as { id: string }[];
    const ids = rows.map(({ id }) => Number(id));
    this.batches.set(key, { ids, hash, times: 1, isChanged: false });
  }
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64');
}

/** Counts a message that came before. @returns false for a new one */
function isRepeated(known: Batch | ReceivedDelivery | undefined, hash: string): boolean {
  if (known === undefined) return false;
  known.times += 1;
  known.isChanged ||= known.hash !== hash;
  return true;
}

function recordOf(id: number) {
  return {
    id: String(id),
    name: `record-${id}`,
    summary: `The record number ${id}`,
    status: 'open',
    creator: 'proof',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
}

/** The provider document that reads the list, and takes in messages about its records. */
export const recordsDocument = `
provider: ticketing_proof
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
webhooks:
  events: [changed]
  instructions: Enter {url}, and the secret.
  id: this.body.message
  signature: { header: x-proof-signature }
  mapping: webhook
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: root = this
  webhook:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.ticket_id = this.record
        root.event_type = "TicketUpdated"
`;
