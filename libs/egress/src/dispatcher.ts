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
 * checked directly, a name by the addresses it resolves to, and the socket connects to exactly those addresses.
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
      connect(target, done);
    },
  });
}
