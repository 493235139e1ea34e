// Writes the package @onefold/mapping into a folder, compiled from its sources: what strangers install, and what the provider kit contains.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './install.mjs';
import { writeCompiled } from './pack-folder.mjs';

export const mappingPackage = '@onefold/mapping';
const room = join(root, 'libs/mapping');
/** Pages on the language that are part of the package. */
const pages = ['language.md', 'methods.md', 'functions.md', 'deviations.md'];

/** Compiles the package and writes all that it contains. */
export function writeMappingPackage(folder) {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeCompiled(folder, 'libs/mapping');
  copyPage(join(room, 'README.md'), join(folder, 'README.md'), 'docs/');
  for (const page of pages)
    copyPage(join(root, 'docs/mapping', page), join(folder, 'docs', page), '');
}

/** Copies a page with links to pages of the package; what leads elsewhere in the repository becomes its text. */
function copyPage(from, to, docs) {
  const text = readFileSync(from, 'utf8').replaceAll(
    /\[([^\]\n]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)]*)?\)/g,
    (_, label, path, anchor = '') =>
      pages.includes(basename(path)) ? `[${label}](${docs}${basename(path)}${anchor})` : label,
  );
  writeFileSync(to, text);
}
