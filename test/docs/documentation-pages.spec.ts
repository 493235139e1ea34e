import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface Rendered {
  title: string;
  headings: { id: string; text: string; level: number }[];
  html: string;
}
interface Builder {
  renderPage: (page: string, text: string, pages?: readonly string[]) => Rendered;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'dist/console/docs');
const pages = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);
/** True if a page has an element with the id of an address such as `jobs.html#schedules`. */
const isThere = (address: string) => {
  const [page = '', id] = address.split('#');
  const text = pages.get(page);
  return text !== undefined && (id === undefined || text.includes(` id="${id}"`));
};

let render: Builder['renderPage'];
beforeAll(async () => {
  const file = join(root, 'tools/build-documentation.mjs');
  ({ renderPage: render } = (await import(pathToFileURL(file).href)) as Builder);
});

describe('the documentation in the console', () => {
  it('has a page for each of docs, but for the decisions', () => {
    const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.startsWith('decisions/'))
      .map((name) => (name === 'README.md' ? 'index.html' : name.replace(/\.md$/, '.html')));
    expect([...pages.keys()].toSorted()).toEqual(written.toSorted());
  });

  it('leads each link of a page to a page, and to a heading, that exist', () => {
    const broken = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/<a href="(?![a-z]+:|(?:\.\.\/)*\.\.\/")([^"]*)"/g)]
        .map(([, to = '']) => to)
        .filter((to) => {
          const [path = '', id] = to.split('#');
          const target = path === '' ? page : posix.join(posix.dirname(page), path);
          return !isThere(id === undefined ? target : `${target}#${id}`);
        })
        .map((to) => `${page}: ${to}`),
    );
    expect(broken).toEqual([]);
  });

  it('has the heading that each screen of the console leads to', () => {
    const routes = readFileSync(join(root, 'apps/console/web/routes.ts'), 'utf8');
    const helps = [...routes.matchAll(/help: '([^']+)'/g)].map(([, to = '']) => to);
    expect(helps).toHaveLength([...routes.matchAll(/^ {4}path: /gm)].length);
    expect(helps.filter((to) => !isThere(to))).toEqual([]);
  });

  it('gives headings the ids of GitHub, also where two are equal', () => {
    const { title, headings } = render(
      'x.md',
      '# A `page`\n\n## What’s new, in 3.0?\n\n## Same\n\n## Same',
    );
    expect(title).toBe('A page');
    expect(headings.map(({ id }) => id)).toEqual(['a-page', 'whats-new-in-30', 'same', 'same-1']);
  });

  it('takes links to what is not in it away, opens others elsewhere, and shows HTML as text', () => {
    const text =
      '[a](../libs/client/README.md) [b](https://example.com/) [c](jobs.md#schedules)\n\n<script>x</script>';
    const { html } = render('providers/x.md', text, ['providers/jobs.md']);
    expect(html).toContain('<span title="libs/client/README.md, in the repository">a</span>');
    expect(html).toContain(
      '<a href="https://example.com/" target="_blank" rel="noopener noreferrer">b</a>',
    );
    expect(html).toContain('<a href="jobs.html#schedules">c</a>');
    expect(html).toContain('&lt;script&gt;');
  });
});
