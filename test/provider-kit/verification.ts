import { parse } from 'yaml';
import type { OurAnswer } from './fixture.js';
import type { ProviderFolder } from './folders.js';

/** One call of a document's verification. */
interface Verified {
  needs: string;
  passes?: string;
  message?: string;
}

/** What a verification has to be able to say, and how its answer shows that it says it. */
export interface VerificationCase {
  name: string;
  /** What it is, for people. */
  about: string;
  /** Which of the calls ends it, from 1; absent where it is not one of them. */
  at?: number;
  of?: Verified;
  /** @returns what is wrong with the answer */
  faults: (answer: OurAnswer) => string[];
}

/** Everything that the verification of a document has to tell apart; nothing where there is none. */
export function verificationCases(folder: ProviderFolder): VerificationCase[] {
  const { verify = [] } = parse(folder.read('provider.yaml')) as { verify?: Verified[] };
  if (verify.length === 0) return [];
  return [
    {
      name: 'works',
      about: 'a configuration that is good',
      faults: ({ status }) => (status === 200 ? [] : [`a good configuration gives ${status}`]),
    },
    {
      name: 'wrong_credential',
      about: 'a secret that the provider does not take',
      faults: (answer) => [
        ...refused(answer, [502]),
        ...lacks(answer, 'message', 'refuses the credential crd_kit_'),
      ],
    },
    {
      name: 'down',
      about: 'a provider that is down',
      faults: (answer) => [
        ...refused(answer, [502, 503, 504]),
        ...(said(answer, 'message').includes('credential')
          ? [`it blames the credential: ${said(answer, 'message')}`]
          : []),
      ],
    },
    ...verify.flatMap((of, index): VerificationCase[] => [
      {
        name: `missing_${index + 1}`,
        about: `somebody without the permission "${of.needs}"`,
        ...{ at: index + 1, of },
        faults: (answer) => [
          ...refused(answer, [400, 502]),
          ...lacks(answer, 'remediation', `"${of.needs}"`),
        ],
      },
      ...(of.message === undefined
        ? []
        : [
            {
              name: `wrong_${index + 1}`,
              about: 'a configuration that names what cannot be used',
              ...{ at: index + 1, of },
              faults: (answer: OurAnswer) => refused(answer, [400]),
            },
          ]),
    ]),
  ];
}

function refused({ status }: OurAnswer, expected: number[]): string[] {
  return expected.includes(status) ? [] : [`the status is ${status}, not ${expected.join(' or ')}`];
}

function lacks(answer: OurAnswer, field: 'message' | 'remediation', words: string): string[] {
  const text = said(answer, field);
  return text.includes(words) ? [] : [`its ${field} does not say ${words}: ${text}`];
}

function said({ body }: OurAnswer, field: 'message' | 'remediation'): string {
  return String((body as Record<string, unknown> | undefined)?.[field]);
}
