import { environment } from '#config';

const ofOthers = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'ALL_PROXY',
  'all_proxy',
];

/** Warns of a proxy that other programs would use. Processes that call no other systems have no EGRESS_ALLOW and need none. */
export function warnOfIgnoredProxy(
  log: { warn(line: object): void },
  settings: object,
  variables: Readonly<Record<string, string | undefined>> = environment(),
): void {
  const { egressAllow, egressProxy } = settings as Record<string, unknown>;
  if (egressAllow === undefined || egressProxy !== undefined) return;
  const ignored = ofOthers.find((name) => (variables[name] ?? '') !== '');
  if (ignored === undefined) return;
  log.warn({
    message: `${ignored} is ignored`,
    remedy: 'Set EGRESS_PROXY to call other systems through a proxy, or remove the variable.',
  });
}
