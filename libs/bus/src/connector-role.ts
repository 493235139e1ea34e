import { servedDomains } from '#contract';

/** The name of a connector of some domains on the bus, and of its NATS user. */
export function connectorRole(domains: readonly string[]): string {
  const isWhole = servedDomains.every((name) => domains.includes(name));
  return isWhole ? 'connector' : ['connector', ...[...domains].sort()].join('-');
}
