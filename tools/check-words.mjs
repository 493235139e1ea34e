// Checks the language of what the lint does not read: descriptions of JSON Schemas and OpenAPI documents, comments of YAML, Markdown, and the
// titles of commits that are not on origin/main yet. The rules are those of plain-words.mjs.
//   node tools/check-words.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import { root } from './install.mjs';
import { findFaults, findFragments, findPhrases } from './plain-words.mjs';

const maxTitleLength = 72;
/** Recorded, measured or written by others; what changed in earlier versions. */
const unread = /(?:^|\/)(?:fixtures|witness|description|generated)\/|package-lock|^CHANGELOG/;

/** Returns what is wrong with the texts of a file, each with its line. */
export function checkFile(file, text) {
  const faults = [];
  const check = (texts, find) => {
    for (const one of texts)
      for (const advice of find(one.text)) faults.push(`${file}:${one.line}  ${advice}`);
  };
  if (/\.schema\.json$|^libs\/contract\/openapi\//.test(file))
    check(descriptionsOf(text), findFragments);
  if (/\.ya?ml$/.test(file)) check(commentsOf(text), findFaults);
  if (file.endsWith('.md')) check(paragraphsOf(text), findPhrases);
  return faults;
}

/** Returns what is wrong with the title of a commit. @param rooms the names that it may begin with */
export function checkTitle(title, rooms) {
  const [, room, rest] = /^([^:\s]+): (.+)$/.exec(title) ?? [];
  if (room === undefined) return ['write "room: imperative title"'];
  return [
    ...(rooms.has(room) ? [] : [`"${room}" is not a room: write the name of its folder alone`]),
    ...(title.length > maxTitleLength ? [`is longer than ${maxTitleLength} characters`] : []),
    ...findFaults(rest),
  ];
}

const clean = (comment) => comment.replace(/^#+\s*/, '');
const lineOf = (text, offset) => text.slice(0, offset).split('\n').length;
/** The lexer marks what follows with these characters, which are not in the file. */
const isMark = (token) => token.length === 1 && '\u0002\u0018\u001a\u001f\ufeff'.includes(token);

/** Returns the comments of a YAML file, those on consecutive lines as one. A `#` in a block of text is a part of the text. */
function commentsOf(text) {
  const comments = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (token.startsWith('#')) {
      const line = lineOf(text, offset);
      const last = comments.at(-1);
      if (last?.end === line - 1)
        Object.assign(last, { end: line, text: `${last.text} ${clean(token)}` });
      else comments.push({ line, end: line, text: clean(token) });
    }
    if (!isMark(token)) offset += token.length;
  }
  return comments;
}

/** Returns the descriptions and summaries of a document of JSON or YAML. */
function descriptionsOf(text) {
  const lineCounter = new LineCounter();
  const texts = [];
  visit(parseDocument(text, { lineCounter }), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !['description', 'summary'].includes(String(key.value))) return;
      if (!isScalar(value) || typeof value.value !== 'string') return; // a field of this name
      texts.push({ line: lineCounter.linePos(key.range?.[0] ?? 0).line, text: value.value });
    },
  });
  return texts;
}

/** Returns the paragraphs, items and rows of a page, without its code. */
function paragraphsOf(text) {
  const prose = text.replaceAll(/```[^]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[^\n]/g, ' '));
  return [...prose.matchAll(/(?<=^|\n)[^\n]+(?:\n(?![\s|#-])[^\n]+)*/g)].map((match) => ({
    line: lineOf(prose, match.index),
    text: match[0].replaceAll(/\s+/g, ' ').trim(),
  }));
}

/** Returns what a title may begin with: the name of a room, of a folder of tests, or of what has no room. */
function roomNames() {
  const parents = ['libs', 'apps', 'libs/management', 'libs/domains', 'libs/providers', 'test'];
  const folders = parents.flatMap((parent) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => (parent === 'test' ? `test/${name}` : name)),
  );
  return new Set([...folders, 'all', 'deploy', 'docs', 'package', 'security', 'test', 'tools']);
}

/** Returns the titles of commits that are not on the main branch of the origin; none where there is no such branch. */
function newTitles(git) {
  if (!existsSync(join(root, '.git'))) return [];
  if (git('branch', '--remotes', '--list', 'origin/main').trim() === '') return [];
  return git('log', '--format=%s', 'origin/main..HEAD')
    .split('\n')
    .filter((title) => title !== '');
}

function checkAll() {
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  const files = git('ls-files', '--', '*.json', '*.yaml', '*.yml', '*.md')
    .split('\n')
    .filter((file) => file !== '' && !unread.test(file) && existsSync(join(root, file)));
  const rooms = roomNames();
  return [
    ...files.flatMap((file) => checkFile(file, readFileSync(join(root, file), 'utf8'))),
    ...newTitles(git).flatMap((title) =>
      checkTitle(title, rooms).map((advice) => `commit "${title}": ${advice}`),
    ),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const faults = checkAll();
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    console.error(
      `${faults.length} texts are not in plain words: CONTRIBUTING.md says how to write.`,
    );
    process.exitCode = 1;
  }
}
