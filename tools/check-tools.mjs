// Checks the types of the tools, tsconfig.tools.json: node tools/check-tools.mjs
// What they import of dist is checked by its sources, which have types.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './install.mjs';

const path = join(root, 'tsconfig.tools.json');
const { config } = ts.readConfigFile(path, ts.sys.readFile);
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const host = ts.createCompilerHost(options);
const compiled = join(root, 'dist/');
host.resolveModuleNameLiterals = (names, from, _redirected, _options, source) =>
  names.map((name) => {
    const mode = ts.getModeForUsageLocation(source, name, options);
    const found = ts.resolveModuleName(name.text, from, options, host, undefined, undefined, mode);
    const { resolvedFileName: file = '' } = found.resolvedModule ?? {};
    const typed = file.replace(compiled, join(root, '/')).replace(/\.js$/, '.ts');
    return file.startsWith(compiled) && existsSync(typed)
      ? {
          resolvedModule: {
            resolvedFileName: typed,
            extension: '.ts',
            isExternalLibraryImport: false,
          },
        }
      : found;
  });
const program = ts.createProgram(fileNames, options, host);
const faults = fileNames.flatMap((name) => {
  const file = program.getSourceFile(name);
  return file === undefined
    ? []
    : [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
});
if (faults.length > 0) {
  console.error(ts.formatDiagnostics(faults, host));
  console.error(`${faults.length} faults in the types of tools`);
  process.exit(1);
}
