import { describe, expect, it } from '@jest/globals';
import { lintText, type TextInDocument } from '@onefold/mapping';
import { compileProviders } from './compile-provider.js';

const document = `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
http: { base_url: '"https://acme.example.com"', message: this.body.error.trim }
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.id
        root.name = this.name.trim
    select:
      - { name: default, match: this.kind == undefined }
  note: |
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.text = this.text.lowercase
operations:
  ticketing_get_ticket:
    response: ticket
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
`;

describe('the texts of a provider document', () => {
  it('are told for lint with their places, those of mappings in it too', () => {
    const texts: TextInDocument[] = [];
    compileProviders(document, undefined, undefined, (one) => texts.push(one));
    const warnings = texts.flatMap(lintText).map((one) => [`${one.line}:${one.column}`, one.hint]);
    const remedy = (name: string) =>
      `Did you mean .${name}()? Write ."${name}" for a field of that name.`;
    expect(Object.fromEntries(warnings)).toEqual({
      '5:74': remedy('trim'),
      '13:31': remedy('trim'),
      '15:46': 'Nothing is null; a field is left out by deleted().',
      '21:31': remedy('lowercase'),
    });
  });
});
