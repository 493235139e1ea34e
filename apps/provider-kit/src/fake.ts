import { once } from 'node:events';
import {
  type Dataset,
  type FakeCredentials,
  FakeClock,
  type FakeDocument,
  FakeEngine,
  FakeServer,
  MemoryStorage,
  readFakeFile,
} from '#fakes';
import { MappingError } from '@onefold/mapping';
import type { ProviderFolder } from './folders.js';

const file = 'fake.yaml';

export interface FakeCommand {
  /** Port to listen on; 0 for any. */
  port: number;
  dataset: Dataset;
  scale: number;
}

/** A running fake. */
export interface RunningFake {
  url: string;
  clock: FakeClock;
  /** Another one after each reset. */
  readonly engine: FakeEngine;
  /** Goes back to the state of the start. */
  reset: () => void;
  stop: () => Promise<void>;
}

/**
 * Starts the fake of a provider's folder, with its state in memory.
 * @param watch makes what answers in place of an engine, such as one that checks its answers
 * @throws Error that names every fault of the document
 */
export async function startFake(
  folder: ProviderFolder,
  { port, dataset, scale }: FakeCommand,
  watch: (engine: FakeEngine) => Pick<FakeEngine, 'handle'> = (engine) => engine,
): Promise<RunningFake> {
  const document = readFakeOf(folder);
  const clock = new FakeClock();
  const start = new Date();
  const make = () =>
    new FakeEngine(document, {
      storage: new MemoryStorage(),
      clock: clock.now,
      start,
      dataset,
      scale,
      key: folder.name, // the same credentials at every start, because they protect nothing
    });
  let engine = make();
  let watched = watch(engine);
  const fake = {
    clock,
    get engine() {
      return engine;
    },
    reset: () => {
      engine = make();
      watched = watch(engine);
    },
  };
  const handle: FakeEngine['handle'] = (request) => watched.handle(request);
  const server = new FakeServer(Object.assign(fake, { handle }));
  const url = await server.listen(port);
  return Object.assign(fake, { url, stop: () => server.close() });
}

/** Runs a fake until the process is stopped. */
export async function runFake(
  folder: ProviderFolder,
  command: FakeCommand,
  say: (line: string) => void,
): Promise<void> {
  const { url, engine, stop } = await startFake(folder, command);
  say(`${folder.name} ${url}`);
  for (const credentials of engine.credentials()) say(describeCredentials(credentials, url));
  const routes = engine.document.routes.flatMap(({ methods, path }) =>
    methods.map((method) => `${method} ${path}`),
  );
  say(`\n${routes.sort().join('\n')}`);
  say(`\nFaults, limits, the clock and what arrived: ${url}/_fake/ (docs/fakes.md)`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await stop();
}

function describeCredentials(
  { principal, scopes, client, secret, basic, aws }: FakeCredentials,
  url: string,
): string {
  return [
    `\n${principal} (${scopes.join(' ') || 'no scope'})`,
    ...(client === undefined
      ? []
      : [
          `  client id      ${client.id}`,
          `  client secret  ${client.secret}`,
          `  token URL      ${url}${client.tokenPath}`,
        ]),
    ...(secret === undefined ? [] : [`  secret         ${secret}`]),
    ...(basic === undefined
      ? []
      : [`  user name      ${basic.username}`, `  password       ${basic.password}`]),
    ...(aws === undefined
      ? []
      : [`  access key     ${aws.accessKeyId}`, `  secret key     ${aws.secretAccessKey}`]),
  ].join('\n');
}

/** Reads the fake of a folder. @throws FakeRefused that names every fault of the document */
export function readFakeOf(folder: ProviderFolder): FakeDocument {
  try {
    return readFakeFile(new URL(file, folder.url));
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new FakeRefused(`${folder.shown(file)}: ${error.message}`);
  }
}

/** The command cannot run with the given arguments. */
export class FakeRefused extends Error {}
