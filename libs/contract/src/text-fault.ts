import type { Fault } from './problem.js';

/** Fault of a decoded text that cannot be stored; undefined where there is none. Bodies are checked by `scanJson`. */
export function textFault(
  location: 'path' | 'query',
  name: string,
  value: string,
): Fault | undefined {
  if (!value.includes('\0')) return undefined;
  return {
    location,
    pointer: name,
    message: 'holds the character U+0000, which cannot be stored',
    remediation: 'Remove %00 from the address.',
  };
}
