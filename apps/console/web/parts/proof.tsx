import type { Result } from '#contract';
import { Toned } from './state.js';

type Provider = Result<'capabilities_get_provider'>['result'];
type Proof = NonNullable<Provider['proof']>;

export const proofs: Readonly<
  Record<Proof, { label: string; tone: 'good' | 'warn' | 'none'; explanation: string }>
> = {
  'real-system': {
    label: 'Proven on the real system',
    tone: 'good',
    explanation: 'It was run against the system of the vendor itself.',
  },
  'vendor-description': {
    label: 'Proven on the vendor’s description',
    tone: 'good',
    explanation:
      'It was run against a copy of the system that holds requests and responses against the vendor’s own description.',
  },
  recorded: {
    label: 'Proven on recordings',
    tone: 'warn',
    explanation: 'It was run against exchanges that were recorded with the system.',
  },
  simulator: {
    label: 'Proven on a fake',
    tone: 'warn',
    explanation:
      'It was run against a copy of the system that was written from its documentation. Try it on your system before you rely on it.',
  },
  none: {
    label: 'Not proven',
    tone: 'none',
    explanation:
      'Nothing has shown yet that it works. Try it on your system before you rely on it.',
  },
};

/** How it is proven that a provider works; nothing where there is no system behind it, as of a mock. */
export function ProofMark({ proof }: { proof: Provider['proof'] }) {
  if (!proof) return null;
  const { label, tone } = proofs[proof];
  return <Toned tone={tone}>{label}</Toned>;
}
