import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector, Client } from 'undici';

const defaultTimeoutMs = 10_000;
const checkTimeoutMs = 1_500;

/** The egress proxy does not let a connection through, or is not there. The message names it, without its password. */
export class EgressProxyFailure extends Error {
  readonly code = 'EGRESS_PROXY_FAILED';

  constructor(
    message: string,
    /** True where it refuses this target alone; otherwise no target is reached. */
    readonly isOfTarget: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'EgressProxyFailure';
  }
}

export interface EgressProxyOptions {
  /** Names, with the names below them, addresses and ranges that are called directly. */
  except?: readonly string[];
  timeoutMs?: number;
  /** An additional certificate authority of the proxy as PEM. */
  certificateAuthority?: string;
}

/** The proxy through which a company lets requests out: a tunnel of CONNECT for each connection. */
export class EgressProxy {
  /** Its address without user and password. */
  readonly shown: string;
  private readonly url: URL;
  private readonly authorization: string | undefined;
  private readonly names: string[] = [];
  private readonly ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  private readonly timeoutMs: number;

  /** @param address `http://user:password@proxy:3128` @throws Error naming the setting that is invalid, without the password */
  constructor(
    address: string,
    private readonly options: EgressProxyOptions = {},
  ) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search)
      throw new Error(
        'EGRESS_PROXY must be http://host:port or https://host:port, with user:password@ before the host if it needs them; percent-encode special characters.',
      );
    const { username, password } = url;
    this.authorization =
      username === '' ? undefined : `Basic ${toBase64(`${decode(username)}:${decode(password)}`)}`;
    this.shown = `${url.protocol}//${url.host}`;
    this.url = new URL(this.shown);
    this.timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    for (const entry of options.except ?? []) this.add(entry);
  }

  /** True for a host that is called through it. @param host a name, or an address with or without brackets */
  isFor(host: string): boolean {
    const bare = host
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
      .toLowerCase();
    if (isIP(bare)) {
      const address = ipaddr.process(bare);
      return !this.ranges.some(
        ([start, bits]) =>
          start.kind() === address.kind() && (address as ipaddr.IPv4).match(start, bits),
      );
    }
    return !this.names.some((name) => bare === name || bare.endsWith(`.${name}`));
  }

  /** Opens a connection to a target. @param target host and port @throws EgressProxyFailure */
  async connect(target: string): Promise<Duplex> {
    const client = this.client(this.timeoutMs);
    const late = AbortSignal.timeout(this.timeoutMs);
    try {
      const { statusCode, socket } = await client.connect({
        path: target,
        headers: {
          host: target,
          ...(this.authorization === undefined
            ? {}
            : { 'proxy-authorization': this.authorization }),
        },
        signal: late,
      });
      if (statusCode === 200) return socket;
      socket.on('error', () => undefined).destroy();
      throw this.refusal(statusCode, target);
    } catch (error) {
      if (error instanceof EgressProxyFailure) throw error;
      throw this.unreachable(error, late.aborted);
    } finally {
      // The socket of a tunnel is not the client's any more.
      client.destroy().catch(() => undefined);
    }
  }

  /** Checks that it can be connected to. @throws EgressProxyFailure */
  async check(): Promise<void> {
    const connect = this.connector(checkTimeoutMs);
    const { protocol, hostname, port, host } = this.url;
    const socket = await new Promise<Duplex>((settle, fail) =>
      connect(
        { protocol, hostname, host, port: port || (protocol === 'https:' ? '443' : '80') },
        (error, made) => {
          if (error === null) settle(made);
          else fail(this.unreachable(error));
        },
      ),
    );
    socket.on('error', () => undefined).destroy();
    if (!socket.closed) await once(socket, 'close');
  }

  private add(entry: string): void {
    const name = entry.replace(/^\*?\./, '').toLowerCase();
    const isAddress = isIP(entry.split('/')[0] ?? '') !== 0;
    if (!isAddress) {
      if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name))
        throw new Error(
          `EGRESS_PROXY_EXCEPT: "${entry}" is not a name, an address or a range; write intranet.example.com or 10.20.0.0/16`,
        );
      this.names.push(name);
      return;
    }
    try {
      const bits = entry.includes(':') ? 128 : 32;
      this.ranges.push(ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${bits}`));
    } catch {
      throw new Error(`EGRESS_PROXY_EXCEPT: "${entry}" is not a valid address or range`);
    }
  }

  private client(timeoutMs: number): Client {
    return new Client(this.url.origin, { connect: this.connector(timeoutMs) });
  }

  /** The name that its certificate has to have is its own; undici would take that of the header Host, which is the target's. */
  private connector(timeout: number): buildConnector.connector {
    const { certificateAuthority: ca } = this.options;
    const connect = buildConnector({ timeout, ...(ca === undefined ? {} : { ca }) });
    const { hostname } = this.url;
    const servername = isIP(hostname.replace(/^\[|\]$/g, '')) ? '' : hostname;
    return (target, done) => connect({ ...target, servername }, done);
  }

  private refusal(status: number, target: string): EgressProxyFailure {
    if (status === 407)
      return new EgressProxyFailure(
        `the egress proxy ${this.shown} refuses the user or the password of EGRESS_PROXY (407)`,
        false,
      );
    return new EgressProxyFailure(
      `the egress proxy ${this.shown} does not connect to ${target} (${status})`,
      true,
    );
  }

  /** @param timedOut whether the time for all of it was over; that to connect may end before */
  private unreachable(error: unknown, timedOut = false): EgressProxyFailure {
    const { code, message } = error as { code?: unknown; message?: string };
    const why = typeof code === 'string' ? code : (message ?? 'unknown');
    return new EgressProxyFailure(
      timedOut || why.includes('TIMEOUT')
        ? `the egress proxy ${this.shown} does not answer in time`
        : `the egress proxy ${this.shown} is not reached (${why})`,
      false,
      error,
    );
  }
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('EGRESS_PROXY: percent-encode special characters of user and password.');
  }
}
