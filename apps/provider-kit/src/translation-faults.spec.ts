import { writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ProviderFolder, providerFolders } from './folders.js';
import { newFolders } from './new-folders.fixture.js';
import { scaffold } from './scaffold/scaffold.js';
import {
  translationFaults,
  translationsFile,
  warnOfMissingTranslations,
} from './translation-faults.js';

it('customers read each provider in each language of the Connect UI', () => {
  expect(providerFolders().flatMap(translationFaults)).toEqual([]);
});

describe('the translations of a folder', () => {
  const { parent, change } = newFolders();
  /** Makes a folder, and replaces a text of one of its files. */
  const changed = (name: string, file: string, from: string, to: string) => {
    scaffold(name, 'ticketing', { parent });
    return change(name, file, from, to);
  };

  it('are missing for a text that changed in the document, and then left over', () => {
    const folder = changed('moved', 'provider.yaml', 'Where the API is', 'Address of the API');
    expect(translationFaults(folder)).toEqual([
      expect.stringMatching(
        /^libs\/providers\/moved\/translations\.yaml: line 2, column 7: customers read no text "Where the API is, .*" of the document/,
      ),
      'libs/providers/moved/translations.yaml: "Address of the API, such as https://api.moved.example." has no translation into de, es, fr, ja',
    ]);
  });

  it('have every language, and each text once', () => {
    const lost = changed('lost', translationsFile, '  fr:', '  it:');
    expect(translationFaults(lost).join('\n')).toMatch(
      /translations\.yaml: line 5, .*unknown key "it"[^]*line 2, .*"fr" is missing/,
    );
    const folder = changed('twice', translationsFile, '- en:', '- en:');
    const text = folder.read(translationsFile);
    const entry = text.slice(text.indexOf('- en:'));
    writeFileSync(new URL(translationsFile, folder.url), text + entry);
    expect(translationFaults(folder)).toEqual([
      expect.stringMatching(/translations\.yaml: line 7, column 7: "Where .*" is translated twice/),
    ]);
  });

  it('are in the document of a customer, who may leave out languages', () => {
    const list = `translations:
  - { en: 'Where the API is, such as https://api.own.example.', de: Die Adresse der API. }
  - { en: List tickets, de: Tickets auflisten }
`;
    const before = changed('own', 'provider.yaml', 'configuration:', `${list}configuration:`);
    const folder = new ProviderFolder('own', parent, { isBuiltIn: false });
    expect(before.readDocument()).toContain(list);
    expect(warnOfMissingTranslations(folder)).toEqual([]);
    expect(translationFaults(folder)).toEqual([]);
  });
});
