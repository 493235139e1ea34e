import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { servedDomains } from '#contract';
import { StartError } from '#observe';
import {
  addKey,
  createKeyFile,
  type KeptBy,
  keyServiceNames,
  openKeyring,
  promoteKey,
  Sealer,
} from '#secrets';
import { rewrap } from '#store';
import type { AdminConfiguration } from './configuration.js';
import { asOwner } from './organizations.js';

/** Long enough for every process to read its key files, which it checks once a second. */
const noticedMs = 3_000;

const steps = ['add', 'promote', 'rewrap'] as const;
type Step = (typeof steps)[number];

/**
 * Opens the sealer with the key file in the data folder. The first start creates the file, with mode 0600. If the database already
 * contains encrypted data, a missing file means that the key is lost, and no new one is created.
 */
export async function openKeys(
  settings: AdminConfiguration,
  databaseUrl: string,
  log?: { error(line: object): void },
): Promise<Sealer> {
  const keyFile = keyFileOf(settings);
  if (!existsSync(keyFile) && !(await hasSealedData(databaseUrl))) await createKeyFile(keyFile);
  return new Sealer(await openKeyring({ ...settings, keyFile }, log, servedDomains));
}

/** Returns the path of the key-encryption key, and creates its folder. */
export function keyFileOf({ keyFile, dataFolder }: AdminConfiguration): string {
  const path = keyPath({ keyFile, dataFolder });
  if (keyFile !== undefined) return path;
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o711 }); // the user of the database must be able to enter the data folder
  chmodSync(folder, 0o700);
  return path;
}

/** The path of the key-encryption key; nothing is created. */
export function keyPath({
  keyFile,
  dataFolder,
}: {
  keyFile?: string | undefined;
  dataFolder: string;
}): string {
  return resolve(keyFile ?? join(dataFolder, 'keys', 'key-encryption.key'));
}

/** `npm run -s admin -- key` */
export async function makeKey(
  settings: AdminConfiguration,
  keptBy: string | undefined,
): Promise<string> {
  const keyFile = keyFileOf(settings);
  await createKeyFile(keyFile, readKeptBy(keptBy), settings);
  return `Key-encryption key: ${keyFile}`;
}

/**
 * Rotates the key-encryption key while the processes are running: they read the new key, then use it, then data keys that the old key
 * wrapped are wrapped again. If processes have their own key files, run each step separately and distribute the file after each.
 */
export async function rotateKey(
  settings: AdminConfiguration,
  databaseUrl: string,
  options: { step?: string; keptBy?: string },
): Promise<string> {
  const { step } = options;
  if (step !== undefined && !isStep(step))
    throw new StartError(`There is no step "${step}". There are: ${steps.join(', ')}.`);
  const keyFile = keyFileOf(settings);
  const takes = (one: Step) => step === undefined || step === one;
  if (takes('add')) await addKey(keyFile, readKeptBy(options.keptBy), settings);
  if (step === undefined) await sleep(noticedMs);
  if (takes('promote')) promoteKey(keyFile);
  if (step === undefined) await sleep(noticedMs);
  const sealer = new Sealer(await openKeyring({ ...settings, keyFile }, undefined, servedDomains));
  if (!takes('rewrap'))
    return `${keyFile}: step ${step} is done, the current key is ${sealer.currentId}.`;
  const { dataKeys, sealedTexts } = await asOwner(databaseUrl, (client) => rewrap(client, sealer));
  return [
    `The current key-encryption key is ${sealer.currentId}; ${dataKeys} data keys and ${sealedTexts} sealed texts were put under it.`,
    `The keys from before stay in ${keyFile}: take their lines out once no backup needs them.`,
  ].join('\n');
}

function isStep(text: string): text is Step {
  return (steps as readonly string[]).includes(text);
}

/** Reads `--kept-by`. @throws StartError */
export function readKeptBy(text: string | undefined): KeptBy | undefined {
  if (text === undefined) return undefined;
  const [service = '', reference, ...rest] = text.trim().split(/\s+/);
  if (reference === undefined || rest.length > 0 || !keyServiceNames.includes(service))
    throw new StartError(
      `--kept-by takes a key service and its key, such as "aws-kms alias/onefold". The services are ${keyServiceNames.join(', ')}.`,
    );
  return { service, reference };
}

async function hasSealedData(databaseUrl: string): Promise<boolean> {
  return await asOwner(databaseUrl, async (client) => {
    const { rows } = await client.query<{ any: boolean }>(
      'select exists (select from data_keys) as any',
    );
    return rows[0]?.any ?? false;
  });
}
