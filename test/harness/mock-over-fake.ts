import { existsSync, readFileSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import type { OperationId, Problem, Result } from '#contract';
import { type FakeDocument, readFakeFile } from '#fakes';
import { mockType, readFunctions, readProviders } from '#provider-document';
import { mockCredentials } from '../../libs/mocks/src/mock-credentials.js';
import type { LooseParts } from '../e2e/client.js';
import { OverFake, type OverFakeOptions } from './over-fake.js';
import { type Answer, bytesOf, type Request } from './over-provider.js';

/** A provider over its fake as its mock is configured, found by the ids of mocks. */
export interface MockSource {
  folder: string;
  type: string;
  mock: string;
}

/** The mocks of all folders that the build found. */
export function mockSources(): MockSource[] {
  const entries = JSON.parse(
    readFileSync(new URL('../../libs/providers/manifests.json', import.meta.url), 'utf8'),
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

/** How a mock runs without a database. */
interface MockOptions {
  /** Folder of the vendor in libs/providers. */
  folder: string;
  /** Id of the mock. */
  type: string;
  /** More configuration. */
  config?: Record<string, unknown>;
  alter?: (document: FakeDocument) => FakeDocument;
  /** The time at which the world begins; fixed when absent, if the fake does not verify signatures. */
  start?: Date;
  /** Carries the requests, if the fake is not to be called in this process. */
  dispatcher?: Pick<Dispatcher, 'dispatch'>;
  /** The vendor's description, against which every request and response of the fake is held, and what is missing there. */
  description?: OverFakeOptions['description'];
  undescribed?: RegExp;
}

/** Returns the vendor's description as its own specs read it; nothing for a vendor whose description is not there. */
export async function readDescription(
  folder: string,
): Promise<Pick<MockOptions, 'description' | 'undescribed'>> {
  const file = new URL(`../../libs/providers/${folder}/description.fixture.js`, import.meta.url);
  if (!existsSync(file)) return {};
  return { ...((await import(file.href)) as Pick<MockOptions, 'description' | 'undescribed'>) };
}

/** A job of a fake goes on by this much with every request. */
const requestMs = 150;

/** Makes a mock: the vendor's document over its fake, with the configuration and the credential that the fake names for mocks. */
export async function mockOverFake({
  folder,
  type,
  config = {},
  start,
  ...others
}: MockOptions): Promise<OverFake> {
  const place = new URL(`../../libs/providers/${folder}/`, import.meta.url);
  const provider = (await readProviders(place)).find(
    ({ source }) => mockType(source.provider) === type,
  );
  if (provider === undefined) throw new Error(`${folder} has no provider with the mock ${type}`);
  const fake = readFakeFile(new URL('fake.yaml', place));
  const principal = fake.mock.principal ?? [...(fake.auth?.principals.keys() ?? [])][0];
  const [slot = ''] = provider.credentials.map((one) => one.slot);
  const isSigned = fake.auth?.accepts.some(({ kind }) => kind === 'sigv4') === true;
  return new OverFake(place, provider.source.provider, {
    slot,
    config: { ...fake.mock.configuration, ...config },
    credential: (accepted) =>
      mockCredentials(provider, fake, [accepted], 'int_1').get(slot)?.config ?? {},
    ...(principal === undefined ? {} : { principal }),
    functions: await readFunctions(place),
    // Signatures use the real time.
    ...(start || isSigned ? { start: start ?? new Date() } : {}),
    requestMs: isSigned ? 0 : requestMs,
    ...others,
  });
}

/** The steps of a walk that a provider takes by itself: some operations are several calls of others, made by their domain. */
export function stepsOf<Step extends { call: OperationId; refused?: unknown }>(
  { provider }: OverFake,
  steps: readonly Step[],
): Step[] {
  return steps.filter(
    ({ call, refused }) => refused !== undefined || provider.operations[call] !== undefined,
  );
}

/** Calls a mock as a walk does. Every response is held against the contract, and every record against OCSF. */
export class MockClient {
  /** Called before each call that has to succeed. */
  onCall?: (id: OperationId, request: Request) => Promise<void>;
  /** Called with each result that is not a file. */
  onResult?: (id: OperationId, result: unknown, parts: LooseParts) => void;

  constructor(private readonly over: OverFake) {}

  async call<Id extends OperationId>(id: Id, parts: LooseParts = {}): Promise<Result<Id>> {
    const request = requestOf(parts);
    await this.onCall?.(id, request);
    const answer = await this.over.call(id, request);
    const { status, body, file } = answer;
    if (status >= 300) throw new Error(`${id}: ${status} ${String(body['message'])}`);
    if (file !== undefined) return (await contentOf(answer)) as Result<Id>;
    this.onResult?.(id, 'result' in body ? (body['result'] as unknown) : body, parts);
    return body as Result<Id>;
  }

  async refuse(id: OperationId, expected: number, parts: LooseParts = {}): Promise<Problem> {
    return (await this.over.refuse(id, expected, requestOf(parts))) as unknown as Problem;
  }
}

function requestOf({ query = {}, ...parts }: LooseParts): Request {
  const { meta, ...others } = query as Record<string, unknown> & { meta?: string[] };
  return { ...parts, query: others, ...(meta === undefined ? {} : { meta }) } as Request;
}

async function contentOf(answer: Answer): Promise<unknown> {
  const text = (await bytesOf(answer)).toString();
  const type = answer.file?.headers['content-type'] ?? '';
  return type.includes('json') ? JSON.parse(text) : text;
}
