/** Standard headers that documents, configurations and secrets may set, by what they tell. */
const standardNames: Readonly<Record<string, readonly string[]>> = {
  'about the body': [
    'content-type',
    'content-encoding',
    'content-language',
    'content-disposition',
    'content-md5',
    'content-digest',
    'digest',
  ],
  'which response is wanted': [
    'accept',
    'accept-charset',
    'accept-encoding',
    'accept-language',
    'prefer',
    'range',
    'if-range',
    'cache-control',
    'pragma',
  ],
  'for which state it is meant': [
    'if-match',
    'if-none-match',
    'if-modified-since',
    'if-unmodified-since',
  ],
  'who asks, and when': [
    'authorization',
    'cookie',
    'user-agent',
    'from',
    'referer',
    'origin',
    'date',
  ],
  'which request it repeats or follows': ['idempotency-key', 'traceparent', 'tracestate'],
};

/** Headers that nobody sets, because they decide more than what the server that was meant is told. */
const reservedNames: Readonly<Record<string, readonly string[]>> = {
  'it decides where the message ends, and belongs to the connection': [
    'content-length',
    'transfer-encoding',
    'te',
    'trailer',
    'connection',
    'keep-alive',
    'upgrade',
    'http2-settings',
    'expect',
    'max-forwards',
  ],
  'proxies and gateways choose the server, the path or the method by it': [
    'host',
    'x-host',
    'via',
    'alt-used',
    'x-method-override',
    'destination',
  ],
  'it tells another address of the caller': [
    'x-real-ip',
    'x-client-ip',
    'client-ip',
    'true-client-ip',
  ],
};
const reservedPrefixes: Readonly<Record<string, readonly string[]>> = {
  'proxies and gateways choose the server, the path or the method by it': [
    'forwarded',
    'x-forwarded-',
    'x-original-',
    'x-rewrite-',
    'x-http-method',
    'proxy-',
  ],
  'browsers alone set it': ['sec-', 'access-control-'],
  'it is read by this service': ['onefold-'],
};

const allowed = new Set(Object.values(standardNames).flat());
const reserved = new Map(
  Object.entries(reservedNames).flatMap(([reason, names]) => names.map((name) => [name, reason])),
);
const prefixes = Object.entries(reservedPrefixes).flatMap(([reason, all]) =>
  all.map((prefix) => ({ prefix, reason })),
);

/**
 * Returns why a header must not be set by a document, a configuration or a secret; undefined for one that may be: a standard header of the
 * list, or one that an application reads. @param name in lower case
 */
export function refusalOfHeader(name: string): string | undefined {
  if (allowed.has(name)) return undefined;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'it is not the name of a header';
  return reserved.get(name) ?? prefixes.find(({ prefix }) => name.startsWith(prefix))?.reason;
}
