// Writes docs as pages of the console: dist/console/docs/webhooks.html is docs/webhooks.md, and index.html the list of all. The console links to their
// headings, and needs no other address for it, so an installation without the internet has them too. The records of decisions are left out, as
// they are for those who change the program.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import MarkdownIt from 'markdown-it';
import { root } from './install.mjs';

const docs = join(root, 'docs');
const tokens = join(root, 'apps/console/web/style/tokens.css');
const style = join(root, 'apps/console/web/documentation.css');
const isIndex = (page) => page === 'README.md';

/** Lists the pages, as paths below docs. */
export function documentationPages() {
  return readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((page) => page.endsWith('.md') && !page.startsWith('decisions/'))
    .toSorted();
}

/** @returns the address of a page below `docs/` of the console: `providers/README.html` */
export const addressOf = (page) => (isIndex(page) ? 'index.html' : page.replace(/\.md$/, '.html'));

/**
 * Renders a page of docs, with an id for each heading by which GitHub knows it too.
 * @returns its title, the ids and texts of its headings, and its HTML
 */
export function renderPage(page, text, pages = documentationPages()) {
  const markdown = new MarkdownIt({ html: false });
  const tokens = markdown.parse(text, {});
  const headings = [];
  const used = new Map();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = (tokens[index + 1].children ?? [])
        .filter(({ type }) => type === 'text' || type === 'code_inline')
        .map(({ content }) => content)
        .join('');
      const slug = slugOf(heading);
      const before = used.get(slug) ?? 0;
      used.set(slug, before + 1);
      const id = before === 0 ? slug : `${slug}-${before}`;
      token.attrSet('id', id);
      headings.push({ id, text: heading, level: Number(token.tag.slice(1)) });
    }
    if (token.type === 'inline') leadLinks(token.children, page, pages);
  }
  markdown.renderer.rules.table_open = () =>
    '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  for (const rule of ['fence', 'code_block']) {
    const written = markdown.renderer.rules[rule];
    // A wide line is scrolled, by the keyboard too.
    markdown.renderer.rules[rule] = (...given) =>
      written(...given).replace('<pre', '<pre tabindex="0"');
  }
  const title = headings.find(({ level }) => level === 1)?.text ?? page;
  return { title, headings, html: markdown.renderer.render(tokens, markdown.options, {}) };
}

/** Leads links to pages to these, and takes those to files that only a checkout has away. */
function leadLinks(children, page, pages) {
  const isTaken = [];
  for (const token of children) {
    if (token.type === 'image') token.type = 'text';
    if (token.type === 'link_close' && isTaken.pop())
      Object.assign(token, { tag: 'span', attrs: [] });
    if (token.type !== 'link_open') continue;
    const address = token.attrGet('href');
    const isOutside = /^[a-z]+:/.test(address);
    const [path, heading] = address.split('#');
    const target = posix.join(posix.dirname(page), path);
    const isPage = path === '' || pages.includes(target);
    isTaken.push(!isOutside && !isPage);
    if (isOutside) for (const pair of Object.entries(elsewhere)) token.attrSet(...pair);
    else if (!isPage)
      Object.assign(token, { tag: 'span', attrs: [['title', `${target}, in the repository`]] });
    else if (path !== '') {
      const to = posix.relative(posix.dirname(addressOf(page)), addressOf(target));
      token.attrSet('href', heading === undefined ? to : `${to}#${heading}`);
    }
  }
}
const elsewhere = { target: '_blank', rel: 'noopener noreferrer' };

/** The id of a heading, as GitHub makes it: lower case, without punctuation, spaces as hyphens. */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Writes all pages below a folder, with their style. */
export function writeDocumentation(folder) {
  const pages = documentationPages();
  for (const page of pages) {
    const file = join(folder, addressOf(page));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      wholePage(page, renderPage(page, readFileSync(join(docs, page), 'utf8'), pages)),
    );
  }
  // Without a script the choice of the console is not known; the system's is.
  const colours = readFileSync(tokens, 'utf8').replace(
    /:root\[data-theme='dark'\] (\{[^}]*\})/,
    '@media (prefers-color-scheme: dark) { :root $1 }',
  );
  writeFileSync(join(folder, 'style.css'), `${colours}\n${readFileSync(style, 'utf8')}`);
}

function wholePage(page, { title, headings, html }) {
  const up = '../'.repeat(addressOf(page).split('/').length - 1);
  const parts = headings.filter(({ level }) => level === 2);
  const contents = parts.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Onefold documentation</title>
<link rel="stylesheet" href="${up}style.css">
</head>
<body>
<header class="top"><a href="${up}index.html">Documentation</a> <a href="${up}../">Console</a></header>
${contents.length < 2 ? '' : `<nav aria-label="On this page"><ul>${contents.join('')}</ul></nav>\n`}<main>
${html}</main>
</body>
</html>
`;
}

const { escapeHtml: escaped } = new MarkdownIt().utils;
