import type { EvidenceSource, ProofSource } from './generated/document-source.js';

export type Proof = Extract<ProofSource, string>;

/** Kinds of evidence, the strongest first. */
const proofs: readonly Proof[] = [
  'real-system',
  'vendor-description',
  'recorded',
  'simulator',
  'none',
];

/** The strongest kind of the evidence of a document. */
export function strongestProof(proof: Proof | readonly EvidenceSource[]): Proof {
  if (typeof proof === 'string') return proof;
  return proofs.find((kind) => proof.some(({ by }) => by === kind)) ?? 'none';
}
