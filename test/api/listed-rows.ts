import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from './service.js';

/** A row of the provider; what increments are bounded by is `time`. */
export interface ListedRow {
  id: string;
  time: string;
}

/** A custom provider `siem_rows` with a list that the spec fills, three rows at a time. */
export class ListedRows {
  rows: ListedRow[] = [];
  /** Paths of the requests, with their queries. */
  requests: string[] = [];
  status = 200;
  /** Called before each response. */
  onRequest: () => void = () => undefined;

  private constructor(private readonly server: Server) {}

  static async start(service: Service): Promise<ListedRows> {
    const server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://here');
      listed.requests.push(request.url ?? '');
      listed.onRequest();
      const offset = Number(searchParams.get('offset'));
      const rows = listed.rows.slice(offset, offset + 3);
      response.writeHead(listed.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ rows }));
    });
    const listed = new ListedRows(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const data = `
provider: siem_rows
version: 1.0.0
fullname: Rows
vendor: Tests
credentials: {}
http: { base_url: '"http://127.0.0.1:${port}"' }
operations:
  siem_query_events:
    fields: { time: { type: datetime }, id: { type: string } }
    page: { kind: offset, size: 3, count: this.body.rows.length() }
    steps:
      - name: rows
        path: /rows
        query: root.offset = this.page.offset
    rows: this.steps.rows.rows
  siem_query_investigations:
    steps: [{ name: rows, path: /rows }]
    rows: this.steps.rows.rows
`;
    const { status, message } = await service.call('POST', '/v1/customs', { data });
    if (status !== 200) throw new Error(`the provider was refused: ${message}`);
    return listed;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
