import {
  FakeClock,
  type FakeCredentials,
  FakeEngine,
  FakeServer,
  MemoryStorage,
  readFakeFile,
} from '#fakes';

/** The fake of a vendor on a socket. */
export interface RunningFake {
  url: string;
  engine: FakeEngine;
  clock: FakeClock;
  /** Those of the first principal. */
  credentials: FakeCredentials;
  stop: () => Promise<void>;
}

/** Starts the fake of a provider's folder. */
export async function startFake(folder: string): Promise<RunningFake> {
  const clock = new FakeClock();
  const file = new URL(`../../libs/providers/${folder}/fake.yaml`, import.meta.url);
  const engine = new FakeEngine(readFakeFile(file), {
    storage: new MemoryStorage(),
    clock: clock.now,
    start: new Date(),
    dataset: 'BASIC',
    key: 'specs',
  });
  const [credentials] = engine.credentials();
  if (credentials === undefined) throw new Error(`the fake of ${folder} knows nobody`);
  const server = new FakeServer({ clock, engine, reset: () => undefined });
  const url = await server.listen(0);
  return { url, engine, clock, credentials, stop: () => server.close() };
}
