import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import {
  type Authenticator,
  connect,
  type ConnectionOptions,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { StartError, StoppedAtStart } from '#observe';
import { Secret } from '#secrets';

/** Settings for connecting to NATS. */
export interface NatsSettings {
  /** `nats://user:password@host:4222`, several servers separated by commas; `tls://` requires TLS. */
  natsUrl: string | Secret;
  natsUser?: string;
  natsPassword?: Secret;
  /** A `.creds` file: a JWT and its NKEY seed. */
  natsCredentialsFile?: string;
  /** A file with an NKEY seed. */
  natsNkeyFile?: string;
  natsCaFile?: string;
  natsCertFile?: string;
  natsKeyFile?: string;
}

const retryMs = 250;
const log = new Logger('bus');

/**
 * Connects, and waits while the server is unavailable or refuses the log-on; each reason is logged once.
 * @param stopping ends the wait @throws StoppedAtStart
 */
export async function openConnection(
  settings: NatsSettings,
  stopping?: AbortSignal,
): Promise<NatsConnection> {
  const options = connectionOptions(settings);
  let logged = '';
  for (;;)
    try {
      return await untilStopped(connect(options), stopping);
    } catch (error) {
      if (stopping?.aborted === true) throw new StoppedAtStart();
      const reason = describe(error);
      if (reason !== logged) log.warn({ message: 'NATS connection failed', error: reason });
      logged = reason;
      await sleep(retryMs, undefined, { ref: false }); // must not delay a process that is stopping
    }
}

/** Waits for a connection; one that comes after the signal is closed. */
async function untilStopped(
  connecting: Promise<NatsConnection>,
  stopping: AbortSignal | undefined,
): Promise<NatsConnection> {
  if (stopping === undefined) return await connecting;
  const stopped = stopping.aborted ? undefined : once(stopping, 'abort').then(() => undefined);
  const connection = await Promise.race([connecting, stopped]);
  if (connection !== undefined) return connection;
  void connecting.then(
    (late) => late.close(),
    () => undefined,
  );
  throw new StoppedAtStart();
}

/** @throws StartError when the settings contradict each other or a file cannot be read */
export function connectionOptions(settings: NatsSettings): ConnectionOptions {
  const servers = serversOf(settings.natsUrl);
  const authenticator = authenticatorOf(settings, servers);
  const tls = tlsOf(settings, servers);
  return {
    servers: servers.map(({ host }) => host),
    name: 'onefold',
    // By default the client gives up after ten attempts (about 20 s), or when it is refused twice, and the process would exit.
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: retryMs,
    noAsyncTraces: true, // it would capture two stacks per request, for errors that almost never occur
    ...(authenticator === undefined ? {} : { authenticator }),
    ...(tls === undefined ? {} : { tls }),
  };
}

/** Returns the addresses without credentials, for logs. */
export function natsHosts({ natsUrl }: Pick<NatsSettings, 'natsUrl'>): string {
  return serversOf(natsUrl)
    .map(({ host }) => host)
    .join(', ');
}

function serversOf(natsUrl: string | Secret): URL[] {
  const text = natsUrl instanceof Secret ? natsUrl.reveal() : natsUrl;
  return text.split(',').map((part) => {
    const url = URL.canParse(part.trim()) ? new URL(part.trim()) : null;
    if (url === null || !['nats:', 'tls:'].includes(url.protocol) || url.host === '')
      throw new StartError(
        'NATS_URL: each server must be nats://host:port or tls://host:port; percent-encode special characters of a password.',
      );
    return url;
  });
}

function authenticatorOf(
  settings: NatsSettings,
  servers: readonly URL[],
): Authenticator | undefined {
  const { natsUser, natsPassword, natsCredentialsFile, natsNkeyFile } = settings;
  const inUrl = servers.find(({ username }) => username !== '');
  const given = {
    'credentials in NATS_URL': inUrl,
    NATS_USER: natsUser,
    NATS_CREDENTIALS_FILE: natsCredentialsFile,
    NATS_NKEY_FILE: natsNkeyFile,
  };
  const names = Object.entries(given).flatMap(([name, value]) => (value ? [name] : []));
  if (names.length > 1)
    throw new StartError(`${names.join(' and ')}: configure one way to log on to NATS.`);
  if ((natsUser === undefined) !== (natsPassword === undefined))
    throw new StartError('NATS_USER and NATS_PASSWORD must be set together.');
  if (natsUser !== undefined)
    return usernamePasswordAuthenticator(natsUser, natsPassword?.reveal() ?? '');
  // Files are read for every connection, so that a renewed one is used without a restart.
  if (natsCredentialsFile !== undefined) {
    readSetting('NATS_CREDENTIALS_FILE', natsCredentialsFile);
    return credsAuthenticator(() => readSetting('NATS_CREDENTIALS_FILE', natsCredentialsFile));
  }
  if (natsNkeyFile !== undefined) {
    const seed = () => trimmed(readSetting('NATS_NKEY_FILE', natsNkeyFile));
    seed();
    return nkeyAuthenticator(seed);
  }
  if (inUrl === undefined) return undefined;
  const name = decodeURIComponent(inUrl.username);
  if (inUrl.password === '') return tokenAuthenticator(name);
  return usernamePasswordAuthenticator(name, decodeURIComponent(inUrl.password));
}

function tlsOf(
  { natsCaFile, natsCertFile, natsKeyFile }: NatsSettings,
  servers: readonly URL[],
): ConnectionOptions['tls'] | undefined {
  if ((natsCertFile === undefined) !== (natsKeyFile === undefined))
    throw new StartError('NATS_CERT_FILE and NATS_KEY_FILE must be set together.');
  const isWanted = servers.some(({ protocol }) => protocol === 'tls:');
  if (!isWanted && natsCaFile === undefined && natsCertFile === undefined) return undefined;
  const files = { caFile: natsCaFile, certFile: natsCertFile, keyFile: natsKeyFile };
  const names = { caFile: 'NATS_CA_FILE', certFile: 'NATS_CERT_FILE', keyFile: 'NATS_KEY_FILE' };
  const tls: Record<string, string> = {};
  for (const name of ['caFile', 'certFile', 'keyFile'] as const) {
    const path = files[name];
    if (path === undefined) continue;
    readSetting(names[name], path);
    tls[name] = path;
  }
  return tls;
}

/** @throws StartError that names the setting */
function readSetting(variable: string, path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StartError(`${variable}: ${path} cannot be read.`, { cause });
  }
}

function trimmed(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString().trim());
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
