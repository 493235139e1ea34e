import { existsSync } from 'node:fs';
import { servedDomains } from '#contract';
import { type Keys, openBusKeys, openKeyring } from '#secrets';
import { CheckFailure } from './check.js';
import type { DoctorConfiguration } from './doctor-configuration.js';
import { keyPath } from './keys.js';

/** Opens the keys of the bus, from the settings that a process would be given. @throws CheckFailure, and KeyUnusable that names the file */
export async function openKeysOfBus(settings: DoctorConfiguration): Promise<Keys> {
  const { busKeyFile } = settings;
  const keyFile = keyPath(settings);
  const hasKey = existsSync(keyFile);
  if (settings.keyFile !== undefined && !hasKey)
    throw new CheckFailure(`KEY_FILE: there is no file ${keyFile}.`);
  if (!hasKey && busKeyFile === undefined)
    throw new CheckFailure(
      'neither KEY_FILE nor BUS_KEY_FILE is set: messages of the bus need a key. Set one as the other processes do.',
    );
  const given = { ...settings, keyFile: hasKey ? keyFile : undefined };
  const ring = await openKeyring(given, undefined, servedDomains);
  return (await openBusKeys(given, ring)).derive('bus messages');
}
