import { resolve } from 'node:path';
import { systemClock } from '#config';
import { servedDomains } from '#contract';
import { StartError } from '#observe';
import { type Key, type Keyring, openKeyring, Sealer, writeKeyFile } from '#secrets';
import { connectDatabase, sealForDomains, Store, wholeOrganization } from '#store';
import type { AdminConfiguration } from './configuration.js';
import { keyFileOf, readKeptBy } from './keys.js';
import { organizations } from './organizations.js';

interface FileOptions {
  file?: string | undefined;
  keptBy?: string | undefined;
}

/** `npm run -s admin -- domain-key`: the file with the keys of some domains, for the team that runs their connectors. */
export async function writeDomainKeys(
  settings: AdminConfiguration,
  domains: readonly string[] | undefined,
  options: FileOptions,
): Promise<string> {
  const names = readDomains(domains?.join(','));
  const ring = await openWhole(settings);
  const keys = names.flatMap((domain) => ring.forDomain(domain).all);
  const path = await write(settings, keys, options, 'domain.key');
  return `${path}: keys of ${names.join(', ')}. It opens the credentials of these domains and no others.`;
}

/** `npm run -s admin -- bus-key`: the file with the key of messages between processes. */
export async function writeBusKey(
  settings: AdminConfiguration,
  options: FileOptions,
): Promise<string> {
  const ring = await openWhole(settings);
  const path = await write(settings, ring.bus.all, options, 'bus.key');
  return `${path}: the key of the bus, for BUS_KEY_FILE of every process.`;
}

/** `npm run -s admin -- seal-for-domains`: what connectors have stored before their domains had keys. */
export async function sealStored(
  settings: AdminConfiguration,
  databaseUrl: string,
): Promise<string> {
  const ring = await openWhole({ ...settings, domainKeys: true });
  const sealer = new Sealer(ring);
  const store = new Store(await connectDatabase({ url: databaseUrl, poolSize: 2 }));
  let count = 0;
  try {
    sealer.checkKnown(await store.keysInUse());
    for (const { id } of await organizations(databaseUrl))
      count += await sealForDomains(
        store,
        wholeOrganization(id),
        sealer,
        new Date(systemClock.now()),
      );
  } finally {
    await store.close();
  }
  return `${count} values were sealed with the keys of their domains.`;
}

async function openWhole(
  settings: AdminConfiguration & { domainKeys?: boolean },
): Promise<Keyring> {
  const keyFile = keyFileOf(settings);
  const ring = await openKeyring({ ...settings, keyFile }, undefined, servedDomains);
  void ring.current; // says what is missing where the file is that of a team
  return ring;
}

async function write(
  settings: AdminConfiguration,
  keys: readonly Key[],
  { file, keptBy }: FileOptions,
  example: string,
): Promise<string> {
  if (file === undefined) throw new StartError(`Say where to: --file ${example}.`);
  const path = resolve(file);
  if (path === keyFileOf(settings))
    throw new StartError(`${path} is the file that the keys are derived from: name another one.`);
  await writeKeyFile(path, keys, readKeptBy(keptBy), settings);
  return path;
}

function readDomains(text: string | undefined): string[] {
  const names = [...new Set((text ?? '').split(',').map((one) => one.trim()))];
  const unknown = names.filter((name) => !servedDomains.includes(name));
  if (unknown.length > 0)
    throw new StartError(
      `--domains takes domains, separated by commas: ${servedDomains.join(', ')}.`,
    );
  return names;
}
