import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { packageCache, unpackDebianPackage } from '../programs/debian-package.js';

const inPackage = 'usr/sbin/nats-server';

/**
 * Returns the path of a nats-server: on PATH, in common folders, or in this user's cache, where Debian's package is unpacked
 * without root if none is found. The error names the three ways to provide one.
 */
export async function findNatsServer(): Promise<string> {
  const commonFolders = [
    '/usr/sbin',
    '/usr/local/bin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
    join(homedir(), 'go/bin'),
  ];
  const onPath = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const found = [...onPath, ...commonFolders].map((folder) => join(folder, 'nats-server'));
  const usable = found.find(isExecutable);
  if (usable !== undefined) return usable;
  try {
    return join(await unpackDebianPackage('nats-server', inPackage), inPackage);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim().split('\n').at(-1) : String(cause);
    throw new Error(
      'The tests need a nats-server and found none. There are three ways to provide one: set NATS_URL to a running server; ' +
        'put nats-server on PATH (`apt-get install nats-server`, or https://nats.io/download); ' +
        `or give apt-get access to a Debian mirror, so that the tests can unpack the package into ${packageCache('nats-server')} (this failed: ${reason}).`,
      { cause },
    );
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
