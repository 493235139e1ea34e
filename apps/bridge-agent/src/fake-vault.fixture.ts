import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A version of a secret; null for one that was deleted. */
type Version = Record<string, unknown> | null;

/**
 * Speaks the HTTP API of Vault's KV engine, version 2, with its errors.
 * @see https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2#read-secret-version
 * @see https://developer.hashicorp.com/vault/api-docs/auth/token#renew-a-token-self
 */
export class FakeVault {
  readonly secrets = new Map<string, Version>();
  /** Paths as they were asked for. */
  readonly requests: string[] = [];
  readonly namespaces: unknown[] = [];
  token = 'hvs.canary-token-of-vault';
  isSealed = false;
  isRenewable = true;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeVault> {
    const server = createServer();
    const fake = new FakeVault(server);
    server.on('request', ({ method, url = '', headers }, response) => {
      fake.requests.push(`${method} ${url}`);
      fake.namespaces.push(headers['x-vault-namespace']);
      fake.answer(`${method} ${url}`, headers['x-vault-token'], response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(request: string, token: unknown, response: ServerResponse): void {
    const send = (status: number, body: object) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
      });
      response.end(`${JSON.stringify(body)}\n`);
    };
    if (this.isSealed) return send(503, { errors: ['Vault is sealed'] });
    if (token !== this.token) {
      const errors = ['2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'];
      return send(403, { errors });
    }
    if (request === 'POST /v1/auth/token/renew-self') {
      if (!this.isRenewable) return send(400, { errors: ['lease is not renewable'] });
      const auth = { client_token: token, policies: ['default'], lease_duration: 3600 };
      return send(200, { ...envelope, auth: { ...auth, renewable: true, token_type: 'service' } });
    }
    const path = /^GET \/v1\/secret\/data\/(.+)$/.exec(request)?.[1];
    if (path === undefined) {
      const warning = 'Invalid path for a versioned K/V secrets engine.';
      return send(404, { errors: [], warnings: [warning] });
    }
    const data = this.secrets.get(decodeURIComponent(path));
    if (data === undefined) return send(404, { errors: [] });
    const deleted = data === null ? '2026-01-02T00:00:00.000000000Z' : '';
    const metadata = {
      created_time: '2026-01-01T00:00:00.000000000Z',
      custom_metadata: null,
      deletion_time: deleted,
      destroyed: false,
      version: 1,
    };
    send(data === null ? 404 : 200, { ...envelope, data: { data, metadata } });
  }
}

const envelope = {
  request_id: '1c8e46c8-6d4c-4a7e-9d7c-0e5f2c4a3b21',
  lease_id: '',
  renewable: false,
  lease_duration: 0,
  data: null,
  wrap_info: null,
  warnings: null,
  auth: null,
};
