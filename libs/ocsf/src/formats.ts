import { isIP } from 'node:net';
import { type FormatName, formatOf } from './facts.js';
import { type Report, show } from './report.js';

type Check = (text: string, version: string) => boolean;

const hexPair = '[0-9A-Fa-f]{2}';
const macPattern = new RegExp(`^${hexPair}(?::${hexPair}){5}$|^${hexPair}(?:-${hexPair}){5}$`);

const checks: Readonly<
  Record<Exclude<FormatName, 'port_t'>, readonly [what: string, check: Check]>
> = {
  ip_t: ['an IP address without port, mask or brackets', (text) => isIP(text) !== 0],
  mac_t: ['a MAC address of six pairs', (text) => macPattern.test(text)],
  email_t: ['a bare mail address', (text) => /^[^\s<>@]+@[^\s<>@]+$/.test(text)],
  hostname_t: [
    'a host name',
    // OCSF dropped the pattern in 1.4, but a trailing dot or a space is never part of a name.
    (text, version) =>
      version < '1.4.0'
        ? /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
        : !/[\s]|\.$/.test(text),
  ],
  subnet_t: [
    'a subnet in CIDR form',
    (text) => {
      const [address = '', bits = ''] = text.split('/');
      const family = isIP(address);
      return family !== 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
    },
  ],
};

const maxPort = 65_535;

/** Checks a value by the format that OCSF gives to attributes of its name. */
export function checkFormat(
  report: Report,
  name: string,
  value: unknown,
  version: string,
  path: readonly (string | number)[],
): void {
  const format = formatOf(name);
  if (format === undefined) return;
  if (format === 'port_t') {
    if (typeof value === 'number' && (value < 0 || value > maxPort))
      report.error(path, 'format', `${value} is not a port`);
    return;
  }
  if (typeof value !== 'string') return;
  const [what, check] = checks[format];
  if (!check(value, version)) report.error(path, 'format', `${show(value)} is not ${what}`);
}

/** Number of hex digits of a hash, by algorithm_id. */
const hashLengths: Readonly<Record<number, number>> = { 1: 32, 2: 40, 3: 64, 4: 128 };

/** Checks that a fingerprint is as long as its algorithm makes it. */
export function checkFingerprint(
  report: Report,
  fingerprint: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): void {
  const { algorithm_id: algorithm, value } = fingerprint;
  const length = typeof algorithm === 'number' ? hashLengths[algorithm] : undefined;
  if (length === undefined || typeof value !== 'string') return;
  if (value.length !== length || !/^[0-9A-Fa-f]*$/.test(value))
    report.error(
      [...path, 'value'],
      'format',
      `${show(value)} is not a hash of algorithm ${String(algorithm)}: that has ${length} hex digits`,
    );
}
