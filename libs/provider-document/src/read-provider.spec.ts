import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeProvider } from './describe-provider.js';
import { readProviders } from './read-provider.js';

const document = `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
setup: { steps: [Create a token.] }
http: { base_url: '"https://acme.example"' }
operations:
  ticketing_get_ticket:
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
`;
const entry = '- { en: Create a token., de: Erzeugen., es: Cree., fr: Créez., ja: 作成 }\n';
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'onefold-folder-'));
  writeFileSync(join(path, 'provider.yaml'), document);
});
afterEach(() => rmSync(path, { recursive: true }));

const open = async () => {
  const [provider] = await readProviders(pathToFileURL(`${path}/`));
  if (provider === undefined) throw new Error('the folder has no provider');
  return describeProvider(provider);
};

it('reads the translations of a folder when somebody asks for another language than English', async () => {
  writeFileSync(join(path, 'translations.yaml'), 'not: [valid');
  const provider = await open();
  expect(provider.translations?.('en')).toBeUndefined();
  expect(() => provider.translations?.('de')).toThrow(/line 1/);
  writeFileSync(join(path, 'translations.yaml'), entry);
  expect(provider.translations?.('fr')).toEqual({
    language: 'fr',
    texts: { 'Create a token.': 'Créez.' },
  });
  writeFileSync(join(path, 'translations.yaml'), 'not: [valid');
  expect(provider.translations?.('ja')?.texts).toEqual({ 'Create a token.': '作成' });
});

it('has none where the folder has no file of them', async () => {
  const provider = await open();
  expect(provider.translations?.('de')).toBeUndefined();
});
