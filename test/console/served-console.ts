import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { askForFacts, createMigratedDatabase } from '#test/harness';
import { addFilledOrganization } from '../e2e/add-organization.js';
import { admin, newFolder } from '../e2e/onefold.js';
import { startApp } from '../e2e/processes.js';

/** A console, and an organization with the integrations of the first start. */
export interface ServedConsole {
  /** Address of the console, as the service prints it. */
  printed: string;
  /** Name of the organization. */
  organization: string;
  token: string;
  integrationToken: string;
  /** Runs a command of the operator. */
  admin: (...args: string[]) => Promise<string>;
  stop: () => Promise<void>;
}

/** A console in a process of its own. */
export interface OwnConsole extends ServedConsole {
  databaseUrl: string;
  keyFile: string;
}

/** Adds an organization to the process that all specs of the run share. */
export async function joinConsole(): Promise<ServedConsole> {
  const { url, databaseUrl = '', keyFile = '' } = await askForFacts('standalone');
  const organization = `console-${randomBytes(6).toString('hex')}`;
  const tokens = await addFilledOrganization(databaseUrl, keyFile, organization, url);
  return {
    printed: `${url}/console/`,
    organization,
    token: tokens.organizationToken,
    integrationToken: tokens.integrationToken ?? '',
    admin: (...args) => admin({ DATABASE_URL: databaseUrl, KEY_FILE: keyFile }, ...args),
    stop: async () => undefined,
  };
}

/**
 * Starts a process for specs of what it prints, of what it limits by address, and of settings.
 * @param more settings
 */
export async function startConsole(
  more: Readonly<Record<string, string>> = {},
): Promise<OwnConsole> {
  const folder = newFolder();
  const database = await createMigratedDatabase();
  const settings = { DATABASE_URL: database.url, DATA_FOLDER: folder };
  const onefold = startApp('standalone', ['--port', '0'], {
    ...settings,
    EGRESS_ALLOW: '127.0.0.1/32', // the provider of the specs
    ...more,
  });
  const stop = async () => {
    await onefold.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  const said = async (name: string) =>
    (await onefold.says(new RegExp(`^${name}: (\\S+)$`, 'm')))[1] ?? '';
  try {
    return {
      printed: await said('Console'),
      organization: 'root',
      token: await said('Organization token'),
      integrationToken: await said('Integration token'),
      databaseUrl: database.url,
      keyFile: join(folder, 'keys/key-encryption.key'),
      admin: (...args) => admin(settings, ...args),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
