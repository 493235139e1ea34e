import { parse } from 'yaml';
import type { Ran } from './engine.js';
import type { ProviderFolder } from './folders.js';

/** One call of a document's `verify`. */
export interface Verified {
  needs: string;
  passes?: string;
  message?: string;
}

/** A verification to record: it depends on the provider's response, not on its status. */
export interface WantedVerification {
  name: string;
  /** Name for messages. */
  about: string;
  /** Number of the call that ends it, from 1; absent if none does. */
  at?: number;
  of?: Verified;
  /** Checks the response. @returns its faults */
  faults: (ran: Ran) => string[];
}

export function verifyOf(folder: ProviderFolder): Verified[] {
  const { verify = [], providers = {} } = parse(folder.readDocument()) as {
    verify?: Verified[];
    providers?: Record<string, { verify?: Verified[] }>;
  };
  return [...verify, ...Object.values(providers).flatMap((one) => one.verify ?? [])];
}

/** Lists the cases that `fixtures/verify.yaml` must contain; none for a document without a verification. */
export function wantedVerifications(folder: ProviderFolder): WantedVerification[] {
  const verify = verifyOf(folder);
  if (verify.length === 0) return [];
  return [
    {
      name: 'works',
      about: 'a good configuration',
      faults: ({ answer }) =>
        answer.status === 200 ? [] : [`a good configuration failed with status ${answer.status}`],
    },
    ...verify.flatMap((of, index): WantedVerification[] => {
      if (of.passes === undefined) return [];
      const at = index + 1;
      if (of.message === undefined)
        return [
          {
            name: `missing_${at}`,
            about: `a credential without the permission "${of.needs}"`,
            at,
            of,
            faults: (ran) => [...statusFaults(ran, [400, 502]), ...permissionFaults(ran, of.needs)],
          },
        ];
      return [
        {
          name: `wrong_${at}`,
          about: 'a configuration that names an unusable record',
          at,
          of,
          faults: (ran) => [...statusFaults(ran, [400]), ...wordFaults(ran)],
        },
      ];
    }),
  ];
}

export function statusFaults({ answer: { status } }: Ran, expected: readonly number[]): string[] {
  return expected.includes(status) ? [] : [`the status is ${status}, not ${expected.join(' or ')}`];
}

/** Checks that the caller learns which permission to grant. */
export function permissionFaults(ran: Ran, needs: string | undefined): string[] {
  const remediation = textOf(ran, 'remediation');
  return remediation.includes(`"${needs}"`)
    ? []
    : [`its remediation does not name the permission "${needs}": ${remediation}`];
}

/** Checks that the document's own sentence reaches the caller. */
export function wordFaults(ran: Ran): string[] {
  const { words = '' } = ran;
  if (words === '') return ['the message of the document is not a text'];
  if (/\bnull\b|\bundefined\b|\[object/.test(words))
    return [`a value is missing in the message of the document: ${words}`];
  return textOf(ran, 'message').includes(words) ? [] : [`it does not say "${words}"`];
}

export function textOf({ answer: { body } }: Ran, field: 'message' | 'remediation'): string {
  return String((body as Record<string, unknown> | undefined)?.[field]);
}
