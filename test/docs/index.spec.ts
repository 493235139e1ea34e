import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .sort();

/** The files that a page links to, as paths within docs. */
function linksOf(page: string): string[] {
  const text = readFileSync(join(docs, page), 'utf8');
  return [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to = '']) =>
    normalize(join(dirname(page), to)),
  );
}

describe('the documentation', () => {
  it('has every page in its index; a decision is in the index of decisions', () => {
    const listed = new Set([...linksOf('README.md'), ...linksOf('decisions/README.md')]);
    expect(pages.filter((page) => page !== 'README.md' && !listed.has(page))).toEqual([]);
  });

  it.each(pages)('%s links to files that exist', (page) => {
    expect(linksOf(page).filter((to) => !existsSync(join(docs, to)))).toEqual([]);
  });
});
