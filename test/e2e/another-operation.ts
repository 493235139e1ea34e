import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/**
 * Copies the built product into a folder, with a contract that has one more entry.
 * @param group file of the connector API that gets the entry
 * @param entry YAML below `paths`
 */
export async function productWithEntry(
  folder: string,
  group: string,
  entry: string,
): Promise<void> {
  copyProduct(folder);
  const contract = join(folder, 'openapi');
  cpSync(join(root, 'libs/contract/openapi'), contract, { recursive: true });
  const file = join(contract, `connector/${group}.yaml`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('\npaths:\n', `\npaths:\n${entry}`));

  const sources = join(folder, 'generated');
  await run(process.execPath, [join(root, 'libs/contract/build.mjs'), contract, sources]);
  const target = join(folder, 'dist/libs/contract/src/generated');
  for (const name of readdirSync(sources)) {
    const text = readFileSync(join(sources, name), 'utf8');
    if (/\.(?:js|json)$/.test(name)) writeFileSync(join(target, name), text);
    else if (/^(?:operations|body-fields)\.ts$/.test(name))
      writeFileSync(join(target, name.replace(/ts$/, 'js')), javaScript(text));
  }
}

/** Copies the compiler's output without specs, beside the same packages. */
function copyProduct(folder: string): void {
  const copy = (name: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(root, name), join(folder, name));
  };
  copy('package.json');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const part of ['dist/apps', 'dist/libs'])
    for (const name of readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }))
      if (/(?<!\.spec)\.(?:js|json|ya?ml)$/.test(name)) copy(join(part, name));
}

function javaScript(text: string): string {
  const { ESNext } = ts.ModuleKind;
  return ts.transpileModule(text, {
    compilerOptions: { module: ESNext, target: ts.ScriptTarget.ES2023 },
  }).outputText;
}
