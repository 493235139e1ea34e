import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageCache, unpackDebianPackage } from './debian-package.js';

const packageName = 'chromium-headless-shell';
const inPackage = 'usr/lib/chromium/chromium-headless-shell';

/** Without a window and all that belongs to it, it takes half of the processor time of the others. */
const names = [packageName, 'chromium', 'chromium-browser', 'google-chrome'];

/** Path of a Chromium: that of `CHROMIUM`, or one on PATH, in /usr/bin or in this user's cache; undefined if there is none. */
export function findChromium(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin'];
  return [
    process.env['CHROMIUM'] ?? '',
    ...names.flatMap((name) =>
      folders.filter((one) => one !== '').map((folder) => join(folder, name)),
    ),
    launcherIn(packageCache(packageName)),
  ].find((path) => path !== '' && existsSync(path));
}

/**
 * Returns the path of a Chromium. Where there is none, Debian's is unpacked into this user's cache.
 * @throws Error of apt-get, if the machine has none or its mirror is not reached
 */
export async function provideChromium(): Promise<string> {
  return findChromium() ?? (await fetchChromium());
}

async function fetchChromium(): Promise<string> {
  const cache = await unpackDebianPackage(packageName, inPackage);
  const launcher = launcherIn(cache);
  if (existsSync(join(cache, 'usr/share/fonts'))) writeFileSync(fontsIn(cache), listFonts(cache));
  writeFileSync(launcher, launch(cache));
  chmodSync(launcher, 0o755);
  return launcher;
}

function launcherIn(cache: string): string {
  return join(cache, 'run-chromium');
}

function fontsIn(cache: string): string {
  return join(cache, 'fonts.conf');
}

/** Returns a configuration of fontconfig for the fonts that were unpacked, because the machine had none. */
function listFonts(cache: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${join(cache, 'usr/share/fonts')}</dir>
  <include ignore_missing="yes">${join(cache, 'etc/fonts/conf.d')}</include>
  <cachedir>${join(cache, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

/** Returns a script that starts the browser with the libraries and the fonts that were unpacked beside it. */
function launch(cache: string): string {
  const libraries = readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.so(?:\.\d|$)/.test(name))
    .map(({ parentPath }) => parentPath);
  const fonts = existsSync(fontsIn(cache)) ? `export FONTCONFIG_FILE="${fontsIn(cache)}"\n` : '';
  return `#!/bin/sh
export LD_LIBRARY_PATH="${[...new Set(libraries)].join(':')}"
${fonts}exec "${join(cache, inPackage)}" "$@"
`;
}
