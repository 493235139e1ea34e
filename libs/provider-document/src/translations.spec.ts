import { describe, expect, it } from '@jest/globals';
import { compileProviders } from './compile-provider.js';
import { describeProvider } from './describe-provider.js';
import { customerTexts, missingTranslations } from './translations.js';
import { faultOf } from './fault-of.fixture.js';

const step = 'Create a token.';
const documentWith = (translations: string) => `providers:
  ticketing_acme:
    fullname: Acme
    setup: { steps: [${step}] }
    configuration:
      properties:
        title: { type: string, title: Name of the desk, description: The desk. }
        kind: { enum: [a, b, 3], x-enum-labels: { a: The first, b: 5 } }
        more:
          type: object
          default: { description: 'not a text' }
          properties: { description: { type: string, description: Within. } }
        lists: { type: array, items: { type: object, description: An item. } }
  ticketing_acme_cloud: { fullname: Acme Cloud }
version: 1.0.0
vendor: Acme
${translations}http: { base_url: '"https://acme.example"' }
verify: [{ path: /me, needs: Read yourself }]
operations:
  ticketing_get_ticket:
    needs: Read tickets
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
`;
const translated = `translations:
  - { en: ${step}, de: Erzeugen Sie ein Token., ja: トークンを作成します。 }
  - { en: Name of the desk, de: Name des Tisches }
  - { en: Read tickets, de: Tickets lesen }
`;

describe('the texts of a document that customers read', () => {
  it('are those of setup, fields, values in words and permissions, and no values as they are sent', () => {
    const [acme] = compileProviders(documentWith(''));
    const { shown, known } = customerTexts(acme);
    expect([...shown]).toEqual([step, 'Name of the desk', 'The desk.', 'The first', 'Within.']);
    expect([...known].filter((one) => !shown.has(one))).toEqual([
      'An item.',
      'Read tickets',
      'Read yourself',
    ]);
  });

  it('are found in the language of a tag, as far as they are translated', () => {
    const [acme, cloud] = compileProviders(documentWith(translated)).map(describeProvider);
    const german = {
      language: 'de',
      texts: {
        [step]: 'Erzeugen Sie ein Token.',
        'Name of the desk': 'Name des Tisches',
        'Read tickets': 'Tickets lesen',
      },
    };
    expect(acme?.translations?.('de')).toEqual(german);
    expect(acme?.translations?.('DE-at')).toEqual(german);
    expect(acme?.translations?.('ja')?.texts).toEqual({ [step]: 'トークンを作成します。' });
    // The other provider of the document has no setup.
    expect(cloud?.translations?.('de')?.texts).toEqual({ 'Read tickets': 'Tickets lesen' });
    for (const language of ['en', 'fr', 'nl', '', '__proto__', 'de_AT'])
      expect([language, acme?.translations?.(language)]).toEqual([language, undefined]);
  });

  it('are missing where a form shows them and a language lacks them', () => {
    const [acme] = compileProviders(documentWith(translated));
    const list = acme.source.translations ?? [];
    expect(missingTranslations(list, [acme])).toEqual([
      { text: step, languages: ['es', 'fr'] },
      { text: 'Name of the desk', languages: ['es', 'fr', 'ja'] },
      { text: 'The desk.', languages: ['de', 'es', 'fr', 'ja'] },
      { text: 'The first', languages: ['de', 'es', 'fr', 'ja'] },
      { text: 'Within.', languages: ['de', 'es', 'fr', 'ja'] },
    ]);
  });

  it('are refused with their place where the document does not have them, or twice', () => {
    const wrong = `${translated}  - { en: 'not a text', de: Kein Text }
  - { en: Read tickets, es: Leer }
`;
    const message = faultOf(() => compileProviders(documentWith(wrong)));
    expect(message).toMatch(/line 21, column 11: customers read no text "not a text"/);
    expect(message).toMatch(/line 22, column 11: "Read tickets" is translated twice/);
  });

  it('have limits of number and length, and known languages', () => {
    const entry = (en: string, de: string) => `  - { en: '${en}', de: '${de}' }\n`;
    const refused = (list: string) =>
      faultOf(() => compileProviders(documentWith(`translations:\n${list}`)));
    expect(refused(entry(step, 'x').repeat(301))).toMatch(/300/);
    expect(refused(entry(step, 'x'.repeat(3_001)))).toMatch(/3000/);
    expect(refused(entry('x'.repeat(2_001), 'x'))).toMatch(/2000/);
    expect(refused(`  - { en: ${step} }\n`)).not.toBe('none');
    expect(refused(`  - { en: ${step}, nl: Maak }\n`)).toMatch(/unknown key "nl"/);
  });
});
