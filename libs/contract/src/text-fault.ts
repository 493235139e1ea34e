import type { Fault } from './problem.js';

/** Returns a fault for a decoded text that cannot be stored, otherwise undefined. `scanJson` checks bodies. */
export function textFault(
  location: 'path' | 'query',
  name: string,
  value: string,
): Fault | undefined {
  if (!value.includes('\0')) return undefined;
  return {
    location,
    pointer: name,
    message: 'contains the character U+0000, which cannot be stored',
    remediation: 'Remove %00 from the URL.',
  };
}
