import type { Dispatcher } from 'undici';
import type { OperationId } from '#contract';
import { type FakeDocument, readFakeFile } from '#fakes';
import { mockType, readFunctions, readProviders } from '#provider-document';
import { mockCredentials } from '../../libs/mocks/src/mock-credentials.js';
import type { LooseParts } from '../e2e/client.js';
import { type Json, OverFake, type Request } from './over-fake.js';

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

/** Calls a mock as a walk does. Every response is held against the contract, and every record against OCSF. */
export class MockClient {
  /** Called with each result that is not a file. */
  onResult?: (id: OperationId, result: unknown, parts: LooseParts) => void;

  constructor(private readonly over: OverFake) {}

  async call(id: OperationId, parts: LooseParts = {}): Promise<unknown> {
    const { meta = [], ...query } = (parts.query ?? {}) as { meta?: string[] };
    const { status, body, file } = await this.over.call(id, { ...parts, query, meta } as Request);
    if (status >= 300) throw new Error(`${id}: ${status} ${String(body['message'])}`);
    if (file !== undefined) return contentOf(file);
    this.onResult?.(id, 'result' in body ? (body['result'] as unknown) : body, parts);
    return body;
  }

  async refuse(id: OperationId, expected: number, parts: LooseParts = {}): Promise<Json> {
    const { status, body } = await this.over.call(id, parts as Request);
    if (status !== expected)
      throw new Error(`${id}: ${status}, not ${expected}: ${String(body['message'])}`);
    return body;
  }
}

function contentOf({
  headers,
  bytes,
}: {
  headers: Readonly<Record<string, string>>;
  bytes: Uint8Array;
}): unknown {
  const text = Buffer.from(bytes).toString();
  return (headers['content-type'] ?? '').includes('json') ? JSON.parse(text) : text;
}
