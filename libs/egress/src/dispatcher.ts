import { Agent, buildConnector } from 'undici';
import type { EgressPolicy } from './egress-policy.js';
import { EgressRefused } from './egress-refused.js';

/** Limits of the connections to one provider host. Times in milliseconds. */
export interface DispatcherOptions {
  /** Connections at most per host. */
  connections?: number;
  connectTimeout?: number;
  /** A certificate authority beside the system's, as PEM: providers inside a company. */
  certificateAuthority?: string;
}

/**
 * Keep-alive pools per host behind the egress policy. Every new socket is checked, the ones after a redirect too: a host that is an
 * address at once, a name by the addresses it resolves to, and the socket goes to these.
 */
export function createDispatcher(policy: EgressPolicy, options: DispatcherOptions = {}): Agent {
  const connect = buildConnector({
    timeout: options.connectTimeout ?? 10_000,
    lookup: policy.lookup,
    ...(options.certificateAuthority === undefined ? {} : { ca: options.certificateAuthority }),
  });
  return new Agent({
    connections: options.connections ?? 64,
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
