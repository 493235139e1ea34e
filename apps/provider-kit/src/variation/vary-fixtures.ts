import { loadValidators } from '#contract';
import type { FakeResponse } from '#fakes';
import { compiledOf } from '../compiled-folder.js';
import type { NamedFixture } from '../fixture.js';
import type { ProviderFolder } from '../folders.js';
import { writeBody } from '../message.js';
import type { Check } from '../named-check.js';
import { excusesOf } from '../over-fake/excuses.js';
import type { Depth } from '../over-fake/fake-setup.js';
import { OverAnswers, type Respond } from '../over-fake/over-answers.js';
import { configurationOf } from '../replay.js';
import { type Extent, type Varied, varyRead } from './vary.js';

/** Checks that no single value of a recorded answer costs more than itself. Without a recorded read there is nothing to check. */
export function recordedVariation(
  folder: ProviderFolder,
  fixtures: readonly NamedFixture[],
  depth?: Depth,
): Check[] {
  const reads = fixtures.filter(isRecordedRead);
  if (reads.length === 0) return [];
  const extent = { ...depth, required: excusesOf(folder).required_values };
  return [
    {
      name: 'loses no record and no page to a single value that is missing in a recorded answer or has another form',
      run: async () => {
        const faults: string[] = [];
        for (const fixture of reads)
          faults.push(...(await varyFixture(folder, fixture, extent)).faults);
        return faults;
      },
    },
  ];
}

/** Whether a fixture is a read that succeeded. */
export function isRecordedRead({ case: name, operation }: NamedFixture): boolean {
  return name === 'works' && operation.method === 'GET' && operation.response.kind === 'json';
}

/** Returns the id of the provider of a folder that has the operation of a fixture. */
export function providerOf(folder: ProviderFolder, { operation }: NamedFixture): string {
  const { providers } = compiledOf(folder);
  return providers.find(({ operations }) => operation.id in operations)?.type ?? '';
}

/** Varies the answers of a recorded read, one value at a time. */
export async function varyFixture(
  folder: ProviderFolder,
  fixture: NamedFixture,
  extent: Extent = {},
): Promise<Varied> {
  await loadValidators();
  const { operation, request } = fixture;
  const over = new OverAnswers(folder.url, providerOf(folder, fixture), configurationOf(folder), {
    respond: respondFrom(fixture),
    providers: compiledOf(folder).providers,
    at: Date.parse(fixture.at),
  });
  const read = { operation, request: { path: request.path ?? {}, query: request.query ?? {} } };
  return await varyRead(over, read, extent);
}

/** Answers each request as it was recorded, and as a system that does not know what is asked for. */
function respondFrom({ exchanges }: NamedFixture): Respond {
  return ({ method, url }) => {
    const found = exchanges.find(
      ({ request }) => request.method === method && request.url === url,
    )?.response;
    const response: FakeResponse = {
      status: found?.status ?? 404,
      headers: { ...found?.headers },
      body: found === undefined ? new Uint8Array() : writeBody(found),
    };
    return Promise.resolve(response);
  };
}
