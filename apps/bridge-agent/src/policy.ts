import { BridgeFailure } from '#bridge';
import type { AllowEntry } from './agent-file.js';

interface Rule {
  protocol: string;
  /** In lower case; the name behind `*.` of an entry for all names below it. */
  host: string;
  isWildcard: boolean;
  port: string;
  methods: ReadonlySet<string>;
  paths: readonly string[] | undefined;
}

const defaultMethods = ['GET', 'HEAD'];
/** How often a path may be encoded and still be understood here. */
const maxDecodings = 4;

/** The allow-list of the agent's file. Nothing that the server sends changes it. */
export class Policy {
  private readonly rules: readonly Rule[];

  constructor(private readonly entries: readonly AllowEntry[]) {
    this.rules = entries.map(ruleOf);
  }

  /** The entries as texts, for the status of the agent. */
  get shown(): string[] {
    return this.entries.map(
      ({ origin, methods = defaultMethods, paths = ['/*'] }) =>
        `${methods.join(',')} ${origin} ${paths.join(' ')}`,
    );
  }

  /** @throws BridgeFailure `refused` for a request that is not listed */
  check(method: string, url: URL): void {
    const shown = `${method} ${url.origin}${url.pathname}`;
    if (url.username !== '' || url.password !== '')
      throw refused(`${url.origin} with a user in the address`);
    const ofHost = this.rules.filter((rule) => isHost(rule, url));
    if (ofHost.length === 0) throw refused(`${url.origin}, which is not listed`);
    const ofMethod = ofHost.filter(({ methods }) => methods.has(method));
    if (ofMethod.length === 0) throw refused(`${shown}: the method is not listed for this host`);
    if (ofMethod.some(({ paths }) => isPath(paths, url.pathname))) return;
    throw refused(`${shown}: the path is not listed for this host and method`);
  }
}

function ruleOf({ origin, methods = defaultMethods, paths }: AllowEntry): Rule {
  const isWildcard = origin.includes('://*.');
  const url = new URL(origin.replace('://*.', '://'));
  return {
    protocol: url.protocol,
    host: url.hostname,
    isWildcard,
    port: url.port,
    methods: new Set(methods),
    paths: paths?.includes('/*') ? undefined : paths,
  };
}

function isHost({ protocol, host, isWildcard, port }: Rule, url: URL): boolean {
  if (protocol !== url.protocol || port !== url.port) return false;
  return isWildcard ? url.hostname.endsWith(`.${host}`) : url.hostname === host;
}

function isPath(paths: readonly string[] | undefined, path: string): boolean {
  if (paths === undefined) return true;
  if (path.split('/').some(isAmbiguous)) return false;
  return paths.some((one) =>
    one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one,
  );
}

/**
 * True for a part of a path that hosts may take for other parts: separators in any encoding, parameters (`..;`, which some take for `..`),
 * control characters, and nothing but dots and blanks, also in wide letters or in an encoding that is not valid.
 */
function isAmbiguous(segment: string): boolean {
  let text = segment;
  for (let count = 0; ; count += 1) {
    if (count > maxDecodings) return true;
    let decoded: string;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      if (count === 0) return true;
      break; // a percent sign of its own
    }
    if (decoded === text) break;
    text = decoded;
  }
  const plain = text.normalize('NFKC');
  return /[\\/;\p{Cc}]/u.test(plain) || (plain.includes('.') && /^[\s.]*$/.test(plain));
}

function refused(what: string): BridgeFailure {
  return new BridgeFailure('refused', `the policy of the bridge agent refuses ${what}`, false);
}
