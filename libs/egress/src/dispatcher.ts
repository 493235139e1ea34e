import type { Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createPool } from './create-pool.js';
import type { EgressPolicy } from './egress-policy.js';
import { EgressRefused } from './egress-refused.js';

/** Limits of the connections to one provider host. Times are in milliseconds. */
export interface DispatcherOptions {
  /** Maximum number of connections per host. */
  connections?: number;
  connectTimeout?: number;
  /** An additional certificate authority as PEM, for providers inside a company. */
  certificateAuthority?: string;
  /** The client certificate and its key as PEM, for servers that demand one. */
  clientCertificate?: { certificate: string; privateKey: string };
}

/**
 * Creates keep-alive pools per host that obey the egress policy. Every new socket is checked, also after a redirect: an address is
 * checked directly, a name by the addresses it resolves to, and the socket connects to exactly those addresses. Through a proxy a name is checked
 * by the addresses that it has here, and the proxy resolves it again.
 */
export function createDispatcher(policy: EgressPolicy, options: DispatcherOptions = {}): Agent {
  const { clientCertificate: client } = options;
  const connect = buildConnector({
    timeout: options.connectTimeout ?? 10_000,
    lookup: policy.lookup,
    ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
    ...(client === undefined ? {} : { cert: client.certificate, key: client.privateKey }),
  });
  return new Agent({
    connections: options.connections ?? 64,
    factory: createPool,
    connect(target, done) {
      try {
        policy.checkHost(target.hostname);
      } catch (error) {
        return done(error instanceof Error ? error : new EgressRefused(target.hostname, ''), null);
      }
      const { proxy } = policy;
      if (proxy === undefined || !proxy.isFor(target.hostname)) return connect(target, done);
      const { hostname, protocol, port } = target;
      const host = hostname.includes(':') ? `[${hostname}]` : hostname; // undici takes the brackets away
      const address = `${host}:${port || (protocol === 'https:' ? 443 : 80)}`;
      policy
        .checkProxied(hostname)
        .then(() => proxy.connect(address))
        .then(
          (tunnel) => {
            const socket = tunnel as Socket;
            // The TLS of the target is verified here, inside the tunnel.
            if (protocol === 'https:') connect({ ...target, httpSocket: socket }, done);
            else done(null, socket);
          },
          (error: Error) => done(error, null),
        );
    },
  });
}
