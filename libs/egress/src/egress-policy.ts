import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { isMetadataAddress, nonPublicRange, unwrapEmbeddedIpv4 } from './address-kinds.js';
import type { EgressProxy } from './egress-proxy.js';
import { EgressRefused } from './egress-refused.js';

/** Resolves a host name to its addresses; `dns.lookup` except in tests. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const maxPassed = 1_000;

/** Names that nobody may register, so that they lead into the network of the proxy: RFC 6761, 6762, 8375, 9476, and ICANN's `internal`. */
const insideNames =
  /\.(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|alt|test|invalid|onion)$/;

const systemResolve: Resolve = (host, done) => systemLookup(host, { all: true }, done);

/**
 * The policy for every outgoing connection: public addresses and the ranges that the operator allows. Names are checked by the
 * addresses they resolve to, and the connection uses exactly those addresses, so a later DNS response cannot change the target.
 */
export class EgressPolicy {
  private readonly allowed: [ipaddr.IPv4 | ipaddr.IPv6, number][];
  /** Hosts that are addresses and pass: they do so always, and each request to one asks. */
  private readonly passed = new LRUCache<string, true>({ max: maxPassed });

  /**
   * @param allow ranges (`10.20.0.0/16`) or addresses (`127.0.0.1`) that are allowed although they are not public.
   * @throws Error naming the first invalid entry.
   */
  constructor(
    allow: readonly string[] = [],
    private readonly resolve: Resolve = systemResolve,
    /** The proxy that connections go through. */
    readonly proxy?: EgressProxy,
  ) {
    this.allowed = allow.map((entry) => {
      const bits = entry.includes(':') ? 128 : 32;
      try {
        return ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${bits}`);
      } catch {
        throw new Error(
          `the allowed range "${entry}" is not a valid address or range; write 10.20.0.0/16 or fd12::/16`,
        );
      }
    });
  }

  /** Checks a URL without resolving its host: scheme, user information, and the host if it is an address. @throws EgressRefused */
  checkUrl(url: string | URL): URL {
    const parsed = checkForm(url);
    this.checkHost(parsed.hostname);
    return parsed;
  }

  /**
   * Like checkUrl, and checks the addresses that the host resolves to now. A host that does not resolve within the time passes,
   * because every connection is checked again. @throws EgressRefused
   */
  async checkTarget(url: string | URL, timeoutMs = 2_000): Promise<URL> {
    const parsed = this.checkUrl(url);
    await this.checkResolved(parsed.hostname.replace(/^\[|\]$/g, ''), timeoutMs);
    return parsed;
  }

  /**
   * Checks a host that the proxy will connect to: an address, or the addresses that a name has here. A public name without an address here
   * passes, because many networks let only the proxy resolve names. @throws EgressRefused
   */
  async checkProxied(host: string, timeoutMs = 2_000): Promise<void> {
    this.checkHost(host);
    const name = host.replace(/\.$/, '').toLowerCase();
    const found = await this.checkResolved(host.replace(/^\[|\]$/g, ''), timeoutMs);
    if (found > 0 || isIP(host.replace(/^\[|\]$/g, ''))) return;
    if (!name.includes('.') || insideNames.test(name))
      throw new EgressRefused(
        host,
        'the name has no address here, and is not one of the public internet, which the proxy is for; name it in EGRESS_PROXY_EXCEPT if it is called directly',
      );
  }

  /** @returns the number of addresses that the host has here */
  private async checkResolved(host: string, timeoutMs: number): Promise<number> {
    const resolved = new Promise<LookupAddress[]>((resolve) => {
      const timer = setTimeout(() => resolve([]), timeoutMs);
      this.resolve(host, (error, addresses) => {
        clearTimeout(timer);
        resolve(error ? [] : addresses);
      });
    });
    const addresses = await resolved;
    for (const { address } of addresses) this.checkAddress(address, host);
    return addresses.length;
  }

  /** Checks a host that is an address. Names pass here and are checked when they are resolved. @throws EgressRefused */
  checkHost(host: string): void {
    if (this.passed.has(host)) return;
    const bare = host.replace(/^\[|\]$/g, '');
    if (!isIP(bare)) return;
    this.checkAddress(bare, bare);
    this.passed.set(host, true);
  }

  /** Lookup function for `net.connect`: resolves a name and fails if the policy refuses any of its addresses. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.resolve(host, (error, addresses) => {
      if (error) return done(error, '', 0);
      try {
        for (const { address } of addresses) this.checkAddress(address, host);
      } catch (refusal) {
        return done(refusal as Error, '', 0);
      }
      const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family;
      const fitting = addresses.filter((one) => !family || one.family === family);
      const [first] = fitting;
      if (first === undefined)
        return done(new EgressRefused(host, 'the name has no address of this IP version'), '', 0);
      if (options.all) done(null, fitting);
      else done(null, first.address, first.family);
    });
  };

  private checkAddress(text: string, target: string): void {
    const shown = target === text ? text : `${target} (${text})`;
    if (text.includes('%')) throw new EgressRefused(shown, 'an address with a zone is link-local');
    const written = ipaddr.parse(text);
    const address = unwrapEmbeddedIpv4(written);
    if (isMetadataAddress(address) || isMetadataAddress(written))
      throw new EgressRefused(shown, 'it is a metadata address, which no setting can allow');
    const kind = nonPublicRange(address);
    if (kind === undefined || this.isAllowed(address) || this.isAllowed(written)) return;
    throw new EgressRefused(
      shown,
      `it is not a public address (${kind}); the operator may allow its range with EGRESS_ALLOW`,
    );
  }

  private isAllowed(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    return this.allowed.some(
      ([start, bits]) =>
        start.kind() === address.kind() && (address as ipaddr.IPv4).match(start, bits),
    );
  }
}

/** Checks what every address must be, wherever it leads: https or http, without user information. @throws EgressRefused */
export function checkForm(url: string | URL): URL {
  if (typeof url === 'string' && !URL.canParse(url))
    throw new EgressRefused('an invalid URL', 'write it as https://host/path');
  const parsed = typeof url === 'string' ? new URL(url) : url;
  const shown = `${parsed.protocol}//${parsed.host}`;
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    throw new EgressRefused(shown, 'only https and http are allowed');
  if (parsed.username || parsed.password)
    throw new EgressRefused(
      shown,
      'put the user and password into the credential, not into the URL',
    );
  return parsed;
}
