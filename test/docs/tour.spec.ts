import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { internalCallRules, subjectOf } from '#bus';
import { domains, operations } from '#contract';
import { unknownNames } from './names-in-text.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const readme = read('README.md');
const tour = read('docs/tour.md');

/** Returns the code blocks of a language. */
const blocks = (markdown: string, language: string) =>
  [...markdown.matchAll(/^```(\w+)\n([^]*?)^```/gm)].flatMap(([, found, block = '']) =>
    found === language ? [block] : [],
  );

describe.each([
  ['the processes in README.md', readme],
  ['a request in docs/tour.md', tour],
])('the picture of %s', (_name, markdown) => {
  const picture = blocks(markdown, 'mermaid').find((block) => block.includes('apps/')) ?? '';

  it('names only folders that exist', () => {
    const folders = picture.match(/\b(?:apps|libs)\/[\w-]+/g) ?? [];
    expect(folders.length).toBeGreaterThan(3);
    expect(folders.filter((folder) => !existsSync(root + folder))).toEqual([]);
  });

  it('names only subjects and calls of the bus that exist', () => {
    const subjects = [...operations.values()].map((operation) => subjectOf(operation, undefined));
    const isSubject = (name: string) =>
      name.endsWith('.*')
        ? subjects.some((subject) => subject.startsWith(name.slice(0, -1)))
        : subjects.includes(name);
    const named =
      picture.match(/\bonefold\.[\w.*]+|\b(?:tokens|integrations|sso|audit)\.\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !isSubject(name) && !(name in internalCallRules))).toEqual([]);
  });
});

describe('README.md', () => {
  it('shows every process, in the picture or beside it', () => {
    const processes = readdirSync(`${root}apps`).filter((app) => app !== 'provider-kit');
    expect(processes.filter((app) => !readme.includes(`apps/${app}`))).toEqual([]);
    expect(domains).toContain('ticketing'); // the domain of the picture
  });
});

describe('docs/tour.md', () => {
  it('names only files that exist', () => {
    const folders = ['libs/connect/src', 'libs/contract', 'libs/providers/redmine'];
    expect(unknownNames(tour, root, folders)).toEqual([]);
    const paths = blocks(tour, 'sh').flatMap((block) => block.match(/\blibs\/[\w./-]*\w/g) ?? []);
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it('quotes the provider document as it is', () => {
    const [quoted = ''] = blocks(tour, 'yaml');
    expect(read('libs/providers/redmine/provider.yaml')).toContain(
      quoted.replaceAll(/^(?=.)/gm, '  '),
    );
  });

  it('runs commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const commands = [...tour.matchAll(/\bnpm run -s (\w+)/g)].map(([, name = '']) => name);
    expect(commands).toContain('provider');
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('finds the one line that calls a provider', () => {
    const command = /^grep .*$/m.exec(tour)?.[0] ?? '';
    const found = execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
    expect(found.trimEnd().split('\n')).toHaveLength(1);
  });

  it('links to a section that exists', () => {
    expect(tour).toContain('architecture.md#the-path-of-a-request');
    expect(read('docs/architecture.md')).toContain('\n## The path of a request\n');
  });
});
