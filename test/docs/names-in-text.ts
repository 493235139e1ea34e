import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const texts = new Map<string, string>();

/**
 * Returns the names in backticks that do not exist: files, folders, aliases such as `#bus`, identifiers and names of calls.
 * @param folders where files are looked for besides the root, and in whose text identifiers have to occur
 */
export function unknownNames(markdown: string, root: string, folders: readonly string[]): string[] {
  const prose = markdown.replaceAll(/^ *```[^]*?^ *```/gm, '');
  const names = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !isKnown(name, root, folders));
}

function isKnown(name: string, root: string, folders: readonly string[]): boolean {
  const text = () => folders.map((folder) => textOf(join(root, folder))).join('\n');
  if (name.startsWith('#')) return isAlias(name, root);
  if (
    /^[\w./-]+(?:\.(?:ts|mjs|js|yaml|yml|json|md)|\/)$|^(?:apps|libs|test|docs|tools)\/[\w/.-]+$/.test(
      name,
    )
  )
    return (
      existsSync(join(root, name)) ||
      folders.some((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some((file) =>
          `/${file}`.endsWith(`/${name.replace(/\/$/, '')}`),
        ),
      )
    );
  const identifier = /^@?([A-Za-z_]\w*)(?:\(.*\))?$|^(?:tx|context|bus)\.(\w+)(?:\(.*\))?$/.exec(
    name,
  );
  const word = identifier?.[1] ?? identifier?.[2];
  if (word !== undefined) return new RegExp(`\\b${word}`).test(text());
  if (/^[a-z]\w*(?:\.\w+)+$/.test(name)) return text().includes(`'${name}'`);
  return true; // a command, a pattern or an expression
}

function isAlias(name: string, root: string): boolean {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, string[]> };
  };
  return Object.entries(compilerOptions.paths).some(([alias, [source = '']]) => {
    const [start = '', end] = alias.split('*');
    if (end === undefined) return alias === name;
    return (
      name.startsWith(start) &&
      existsSync(
        join(
          root,
          source.replace('*', () => name.slice(start.length)),
        ),
      )
    );
  });
}

/** Returns the text of all sources below a folder. */
function textOf(folder: string): string {
  const known = texts.get(folder);
  if (known !== undefined) return known;
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|mjs|yaml|json)$/.test(file) && !file.includes('generated'))
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  texts.set(folder, text);
  return text;
}
