import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { createDispatcher, type EgressPolicy } from '#egress';

/** A client certificate of a stored credential. */
export interface ClientCertificate {
  organizationId: string;
  accountId: string;
  credentialId: string;
  /** PEM; the certificates between it and its authority may follow it. */
  certificate: string;
  /** PEM. */
  privateKey: string;
  /** PEM of the authority of the provider's own certificate, where it is not a public one. */
  authority?: string;
}

/** Connections are kept for this many certificates; the least recently used ones are closed first. */
const maxPools = 500;

/**
 * Connection pools with a client certificate, one for each credential, so that connections are never shared between tenants. All obey
 * the egress policy.
 */
export class ClientCertificates {
  private readonly pools: LRUCache<string, Dispatcher>;

  constructor(
    private readonly policy: EgressPolicy,
    private readonly connections: number,
    max = maxPools,
  ) {
    this.pools = new LRUCache<string, Dispatcher>({
      max,
      // Requests that are under way end before their connections do.
      dispose: (pool) => void pool.close().catch(() => undefined),
    });
  }

  /** Finds or makes the pool of a certificate. */
  dispatcher(of: ClientCertificate): Dispatcher {
    const key = keyOf(of);
    const known = this.pools.get(key);
    if (known !== undefined) return known;
    const { certificate, privateKey, authority } = of;
    const made = createDispatcher(this.policy, {
      connections: this.connections,
      clientCertificate: { certificate, privateKey },
      ...(authority === undefined ? {} : { certificateAuthority: authority }),
    });
    this.pools.set(key, made);
    return made;
  }

  close(): void {
    this.pools.clear();
  }
}

/** A replaced certificate needs new connections. */
function keyOf({ organizationId, accountId, credentialId, ...content }: ClientCertificate): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64');
  return JSON.stringify([organizationId, accountId, credentialId, hash]);
}
