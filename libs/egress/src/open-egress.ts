import { EgressPolicy, type Resolve } from './egress-policy.js';
import { EgressProxy } from './egress-proxy.js';

/** The settings of processes that call other systems. */
export interface EgressSettings {
  /** Addresses and ranges that may be called although they are not public. */
  egressAllow: readonly string[];
  /** The address of the proxy, with its password. */
  egressProxy?: { reveal(): string } | undefined;
  /** Names, addresses and ranges that are called without the proxy. */
  egressProxyExcept?: readonly string[] | undefined;
}

/** Opens the policy of a process, which is not ready while its proxy is not reached. @throws Error naming the setting that is invalid */
export function openEgress(
  { egressAllow, egressProxy, egressProxyExcept = [] }: EgressSettings,
  health?: { add(name: string, check: () => Promise<void>): void },
  resolve?: Resolve,
): EgressPolicy {
  const proxy = egressProxy && new EgressProxy(egressProxy.reveal(), { except: egressProxyExcept });
  if (proxy !== undefined) health?.add('egress proxy', () => proxy.check());
  return new EgressPolicy(egressAllow, resolve, proxy);
}
