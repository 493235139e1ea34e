import { readFileSync } from 'node:fs';
import { FakeEngine, MemoryStorage, readFake } from '#fakes';
import { compileProviders, mockType, readFunctions } from '#provider-document';
import { mockCredentials } from '../../libs/mocks/src/mock-credentials.js';
import { OverFake } from './over-fake.js';

const providers = new URL('../../libs/providers/', import.meta.url);

/** A provider over its fake as its mock is configured, found by the ids of mocks. */
export interface MockSource {
  folder: string;
  type: string;
  mock: string;
}

/** The mocks of all folders that the build found. */
export function mockSources(): MockSource[] {
  const entries = JSON.parse(readFileSync(new URL('manifests.json', providers), 'utf8')) as {
    folder: string;
    hasFake?: true;
    source: { provider?: string; providers?: object };
  }[];
  return entries
    .filter(({ hasFake }) => hasFake)
    .flatMap(({ folder, source: { provider = '', providers: several } }) =>
      Object.keys(several ?? { [provider]: {} }).map((type) => ({
        folder,
        type,
        mock: mockType(type),
      })),
    );
}

/**
 * The document of a provider over its fake, with the configuration and the credential that its mock has. The clock goes on with every request,
 * so that jobs of the vendor come to an end.
 */
export async function overMock({ folder: name, type }: MockSource): Promise<OverFake> {
  const folder = new URL(`${name}/`, providers);
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
  const functions = await readFunctions(folder);
  const compiled = compileProviders(read('provider.yaml'), read, functions).find(
    ({ source }) => source.provider === type,
  );
  if (compiled === undefined) throw new Error(`${name} describes no ${type}`);
  const fake = readFake(read('fake.yaml'), read);
  const known = new FakeEngine(fake, {
    ...{ storage: new MemoryStorage(), clock: () => 0, start: new Date(0) },
    ...{ dataset: 'EMPTY', key: 'any' },
  }).credentials();
  const [slot = 'credential'] = compiled.credentials.map(({ slot: name }) => name);
  const principal = fake.mock.principal ?? known[0]?.principal;
  const over = new OverFake(folder, type, {
    config: { ...fake.mock.configuration },
    credential: (accepted) => {
      const opened = mockCredentials(compiled, fake, [accepted], 'int_1');
      return opened.get(slot)?.config ?? {};
    },
    slot,
    ...(principal === undefined ? {} : { principal }),
    functions,
    requestMs: 150,
  });
  // Signatures of AWS have the real time.
  if (name === 'aws') Object.assign(over, { now: Date.now(), requestMs: 0 });
  return over;
}
