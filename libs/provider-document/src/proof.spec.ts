import { expect, it } from '@jest/globals';
import type { MappingError } from '@onefold/mapping';
import { compileProviders } from './compile-provider.js';
import { strongestProof } from './proof.js';

const documentWith = (proof: string) => `
provider: custom_acme
version: 1.0.0
fullname: Acme
vendor: Acme
proof: ${proof}
http: { base_url: '"https://acme.example"' }
operations:
  custom_get: { steps: [{ path: '/things/{this.path.id}' }], record: this.steps.call }
`;

it('the proof of a provider is the strongest of its evidence, or the word of the document', () => {
  const proofOf = (proof: string) =>
    compileProviders(documentWith(proof), () => '')[0]?.source.proof;
  expect(proofOf('[{ by: simulator, what: a }, { by: vendor-description, what: b }]')).toBe(
    'vendor-description',
  );
  expect(proofOf('recorded')).toBe('recorded');
  expect(strongestProof([])).toBe('none');
});

it('names what is wrong with evidence', () => {
  const faultOf = (proof: string) => {
    try {
      compileProviders(documentWith(proof), () => '');
      return '';
    } catch (error) {
      return (error as MappingError).faults.map(({ line, message }) => `${line} ${message}`).join();
    }
  };
  expect(faultOf('[{ by: hearsay, what: a }]')).toMatch(/^6 .*by/);
  expect(faultOf('[{ by: simulator }]')).toMatch(/^6 .*what/);
  expect(faultOf('[{ by: simulator, what: a, date: yesterday }]')).toMatch(/^6 .*date/);
});
