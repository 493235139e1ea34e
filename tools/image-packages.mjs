// Copies into FOLDER the files of node_modules that the image needs: those that the imports `outside` in deploy/imports.json lead to.
//   node tools/image-packages.mjs FOLDER      also writes sbom.cdx.json, all packages of the image, bundled ones too, and their licences
// Half of what npm installs are source maps, types and forms for browsers; @vercel/nft finds the files that Node opens.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileTrace } from '@vercel/nft';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the files of node_modules that a list of imports leads to, as paths in the project folder. @throws Error for an import that is not found */
export async function tracePackages(imports) {
  // nft needs a file that imports; it must be where the packages are looked for.
  const folder = mkdtempSync(join(root, 'node_modules/.image-'));
  const entry = join(folder, 'imports.mjs');
  const isCode = (specifier) => !/\.(?:json|css)$/.test(specifier);
  const code = imports.filter(isCode).map((specifier) => `import '${specifier}';\n`);
  const files = imports
    .filter((specifier) => !isCode(specifier))
    .map((specifier) => join('node_modules', specifier));
  try {
    writeFileSync(entry, code.join(''));
    const { fileList, warnings } = await nodeFileTrace([entry], {
      base: root,
      processCwd: root,
      // Files are followed by imports alone, in half of the time; those read by path are in the list.
      analysis: { emitGlobs: false, computeFileReferences: false },
      // An optional peer of a package that reads its configuration in TypeScript, which is there for our build.
      ignore: ['node_modules/typescript/**'],
    });
    const missing = [...warnings].find(({ message }) => message.includes(entry));
    if (missing) throw missing;
    return [...new Set([...fileList, ...files])]
      .filter((file) => file.startsWith('node_modules/') && !file.startsWith('node_modules/.'))
      .sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The packages, as paths, that files of node_modules belong to. */
export function packagesOf(files) {
  const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
  return new Set(files.flatMap((file) => folder.exec(file)?.[0] ?? []));
}

/** Returns the licence files of a package, which its terms ask to be kept. @param folder its path in the project folder */
function licenceFiles(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name))
    .map((name) => join(folder, name));
}

/** Returns the CycloneDX list of npm without the packages that are not in the image. */
function listComponents(packages) {
  const args = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx'];
  const sbom = JSON.parse(
    execFileSync('npm', args, { cwd: root, maxBuffer: 64 * 2 ** 20, encoding: 'utf8' }),
  );
  const shipped = new Set(
    [...packages].map((folder) => {
      const { name, version } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      );
      return `${name}@${version}`;
    }),
  );
  const isShipped = (reference) => shipped.has(reference) || reference.startsWith('@onefold/');
  // Without what changes at every run, so that the layer of the packages stays the same.
  delete sbom.serialNumber;
  delete sbom.metadata.timestamp;
  sbom.metadata.component.name = 'onefold';
  return {
    ...sbom,
    components: sbom.components.filter((component) => isShipped(component['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => isShipped(ref) || ref === sbom.metadata.component['bom-ref'])
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  };
}

/** Returns the files of packages in the image, and the packages that they and the services are made of. */
async function traceImage() {
  const { bundled, outside } = JSON.parse(readFileSync(join(root, 'deploy/imports.json'), 'utf8'));
  const files = await tracePackages(outside);
  return { files, packages: packagesOf([...files, ...(await tracePackages(bundled))]) };
}

/** Returns the list of the packages of the image, as it is in it. */
export async function listShipped() {
  return listComponents((await traceImage()).packages);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2];
  const { files, packages } = await traceImage();
  for (const file of new Set([...files, ...[...packages].flatMap(licenceFiles)])) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(root, file), join(target, file), { dereference: true });
  }
  writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(listComponents(packages))}\n`);
}
