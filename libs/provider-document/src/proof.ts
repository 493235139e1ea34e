/** Kinds of evidence, the strongest first. */
export const proofs = [
  'real-system',
  'vendor-description',
  'recorded',
  'simulator',
  'none',
] as const;
export type Proof = (typeof proofs)[number];

/** One thing that shows that a document works. */
export interface Evidence {
  by: Exclude<Proof, 'none'>;
  what: string;
  version?: string;
  date?: string;
  package?: string;
  file?: string;
}

/** The strongest kind of the evidence of a document. */
export function strongestProof(proof: Proof | readonly Evidence[]): Proof {
  if (typeof proof === 'string') return proof;
  return proofs.find((kind) => proof.some(({ by }) => by === kind)) ?? 'none';
}
