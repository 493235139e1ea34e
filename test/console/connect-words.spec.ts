import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

type Texts = { [name: string]: string | Texts };

const folders = {
  'the Connect UI': 'apps/console/web/connect/words',
  'the page after an authorization': 'libs/management/connect-sessions/src/answer-words',
};
/** Words that are the same in several languages. */
const common =
  /^(?:Token|Details|Type|Region|Secret|Client ID|Client-ID|No|Bucket|Site|Source|Destination|Index|Repository|App|\{count\})$/;

describe.each(Object.entries(folders))('the languages of %s', (_, path) => {
  const folder = fileURLToPath(new URL(`../../../${path}/`, import.meta.url));
  const textsOf = (name: string) =>
    flat(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Texts);
  const english = textsOf('en.json');
  const files = readdirSync(folder).sort();

  it('are five', () => {
    expect(files).toEqual(['de.json', 'en.json', 'es.json', 'fr.json', 'ja.json']);
  });

  describe.each(files)('%s', (file) => {
    const texts = textsOf(file);

    it('has every text, and no other', () => {
      expect([...texts.keys()]).toEqual([...english.keys()]);
    });

    it('leaves none empty, and puts the same values into each', () => {
      for (const [name, text] of texts) {
        expect([name, text.trim()]).not.toEqual([name, '']);
        expect([name, valuesIn(text)]).toEqual([name, valuesIn(english.get(name) ?? '')]);
      }
    });

    it('repeats no sentence of English', () => {
      if (file === 'en.json') return;
      const same = [...texts].filter(
        ([name, text]) => text === english.get(name) && !common.test(text),
      );
      expect(same).toEqual([]);
    });
  });
});

function flat(texts: Texts, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? [[prefix + name, text] as const] : [...flat(text, `${name}.`)],
    ),
  );
}

function valuesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
}
