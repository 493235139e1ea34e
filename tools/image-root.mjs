// Copies into FOLDER what the image has of its base: Node, the libraries that it and native packages load, and the files that name users and
// look up hosts. No shell, no npm and no package manager, which nothing in the image uses and which are half of the base.
//   node tools/image-root.mjs FOLDER PACKAGES      PACKAGES is the folder that tools/image-packages.mjs wrote
// Scanners find the Debian packages of the libraries in var/lib/dpkg/status.d, as in images without a package manager.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const users = {
  'etc/passwd': 'root:x:0:0::/:/sbin/nologin\nnode:x:1000:1000::/tmp:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnode:x:1000:\n',
};
/** Files of the base, where it has them. */
const copied = ['/etc/nsswitch.conf', '/etc/os-release', '/etc/ssl/certs/ca-certificates.crt'];

/** Returns the libraries that programs load, as `ldd` prints them. */
export function librariesOf(programs) {
  const said = execFileSync('ldd', programs, { encoding: 'utf8' });
  if (said.includes('not found'))
    throw new Error(`A library is missing in the base image:\n${said}`);
  return [
    ...new Set([...said.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, file]) => file)),
  ].sort();
}

/** Returns the native libraries of a folder with packages. */
export function nativesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.node'))
    .map((file) => join(folder, file));
}

/** Returns the names of the Debian packages of files; none where the base is another system. */
function packagesOf(files) {
  if (!existsSync('/var/lib/dpkg/status')) return [];
  // Debian moved /lib to /usr/lib, and its list of files has either name.
  const names = files.flatMap((file) => [file, realpathSync(file), file.replace(/^\/usr/, '')]);
  const lists = readdirSync('/var/lib/dpkg/info').filter((name) => name.endsWith('.list'));
  const found = lists.filter((list) => {
    const owned = new Set(readFileSync(join('/var/lib/dpkg/info', list), 'utf8').split('\n'));
    return names.some((name) => owned.has(name));
  });
  return found.map((list) => list.replace(/(?::\w+)?\.list$/, ''));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target, packages] = process.argv.slice(2);
  const place = (file) => {
    const to = join(target, file);
    mkdirSync(dirname(to), { recursive: true });
    return to;
  };
  const libraries = librariesOf([process.execPath, ...nativesOf(packages)]);
  const copyright = packagesOf(libraries).map((name) => `/usr/share/doc/${name}/copyright`);
  for (const file of [...libraries, ...copied, ...copyright].filter((one) => existsSync(one)))
    copyFileSync(file, place(file));
  copyFileSync(process.execPath, place('/usr/local/bin/node'));
  for (const [file, text] of Object.entries(users)) writeFileSync(place(file), text);
  for (const name of packagesOf(libraries))
    writeFileSync(
      place(`var/lib/dpkg/status.d/${name}`),
      execFileSync('dpkg-query', ['--status', name], { encoding: 'utf8' }),
    );
  mkdirSync(join(target, 'tmp'));
  chmodSync(join(target, 'tmp'), 0o1777);
}
