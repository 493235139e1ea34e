import { existsSync, readFileSync } from 'node:fs';
import { type MockOptions, openMock, type OverFake, ProviderFolder } from '#apps/provider-kit';
import { mockType } from '#provider-document';

/** A provider over its fake as its mock is configured, found by the ids of mocks. */
export interface MockSource {
  folder: string;
  type: string;
  mock: string;
}

/** The mocks of all folders that the build found. */
export function mockSources(): MockSource[] {
  const entries = JSON.parse(
    readFileSync(new URL('../../../libs/providers/manifests.json', import.meta.url), 'utf8'),
  ) as {
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

/** Returns the vendor's description as its own specs read it; nothing for a vendor whose description is not there. */
export async function readDescription(
  folder: string,
): Promise<Pick<MockOptions, 'description' | 'undescribed'>> {
  const file = new URL(`../../libs/providers/${folder}/description.fixture.js`, import.meta.url);
  if (!existsSync(file)) return {};
  return { ...((await import(file.href)) as Pick<MockOptions, 'description' | 'undescribed'>) };
}

/** Makes the mock of a vendor of libs/providers: see {@link openMock}. */
export function mockOverFake({
  folder,
  type,
  ...options
}: MockOptions & { folder: string; type: string }): OverFake {
  return openMock(new ProviderFolder(folder), type, options);
}
