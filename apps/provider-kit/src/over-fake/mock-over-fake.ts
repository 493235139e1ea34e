import type { Dispatcher } from 'undici';
import type { Provider } from '#connect';
import type { OperationId, Problem } from '#contract';
import type { Dataset, FakeDocument } from '#fakes';
import { mockCredentials } from '#mocks';
import { mockType } from '#provider-document';
import type { Store } from '#store';
import { compiledOf } from '../compiled-folder.js';
import { readFakeOf } from '../fake.js';
import type { ProviderFolder } from '../folders.js';
import type { VendorDescription } from './described-fake.js';
import { OverFake } from './over-fake.js';
import { type Answer, bytesOf, type Request } from './over-provider.js';

/** How a mock runs without a database. */
export interface MockOptions {
  /** More configuration. */
  config?: Record<string, unknown>;
  alter?: (document: FakeDocument) => FakeDocument;
  /** Makes another provider of the vendor's, such as one with a mistake. */
  alterProvider?: ((provider: Provider) => Provider) | undefined;
  /** False to serve records as a customer gets them: what breaks the contract is moved and named. */
  strict?: boolean;
  /** The time at which the world begins; fixed when absent, if the fake does not verify signatures. */
  start?: Date;
  /** The records of the fake; those of the company when absent. */
  dataset?: Dataset;
  /** Keeps what is known of an `Idempotency-Key`. */
  store?: Store;
  /** Carries the requests, if the fake is not to be called in this process. */
  dispatcher?: Pick<Dispatcher, 'dispatch'>;
  /** The vendor's description, against which every request and response of the fake is held, and what is missing there. */
  description?: VendorDescription | undefined;
  undescribed?: RegExp;
}

/** A job of a fake goes on by this much with every request. */
const requestMs = 150;
const minuteMs = 60_000;

/**
 * Makes a mock: the document of a provider over its fake, with the configuration and the credential that the fake names for mocks.
 * @param type id of the provider, or of its mock
 */
export function openMock(
  folder: ProviderFolder,
  type: string,
  { config = {}, start, alterProvider, ...others }: MockOptions = {},
): OverFake {
  const { compiled, providers } = compiledOf(folder);
  const provider = compiled.find(
    ({ source }) => source.provider === type || mockType(source.provider) === type,
  );
  if (provider === undefined) throw new Error(`${folder.name} has no provider ${type}`);
  const document = readFakeOf(folder);
  const principal = document.mock.principal ?? [...(document.auth?.principals.keys() ?? [])][0];
  const [slot = '', ...otherSlots] = provider.credentials.map((one) => one.slot);
  const isSigned = document.auth?.accepts.some(({ kind }) => kind === 'sigv4') === true;
  return new OverFake(folder.url, provider.source.provider, {
    slot,
    config: { ...document.mock.configuration, ...config },
    credential: (accepted) =>
      mockCredentials(provider, document, [accepted], 'int_1').get(slot)?.config ?? {},
    otherCredentials: (accepted) => {
      const known = mockCredentials(provider, document, [accepted], 'int_1');
      // A slot within an object is optional everywhere, and belongs to settings that no fake has.
      return Object.fromEntries(
        otherSlots
          .filter((one) => !one.includes('.'))
          .flatMap((one) => {
            const opened = known.get(one);
            return opened === undefined ? [] : [[one, opened.config]];
          }),
      );
    },
    ...(principal === undefined ? {} : { principal }),
    document,
    providers: alterProvider === undefined ? providers : providers.map(alterProvider),
    // Signatures use the real time. Fakes of the same minute share their records.
    ...(start || isSigned
      ? { start: start ?? new Date(Math.floor(Date.now() / minuteMs) * minuteMs) }
      : {}),
    requestMs: isSigned ? 0 : requestMs,
    ...others,
  });
}

/** Parts of a call whose operation is not known to the compiler. */
export interface LooseParts {
  path?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Calls a mock as a walk does. Every response is held against the contract, and every record against OCSF. */
export class MockClient {
  /** Called before each call that has to succeed. */
  onCall?: (id: OperationId, request: Request) => Promise<void>;
  /** Called with each result that is not a file. */
  onResult?: (id: OperationId, result: unknown, parts: LooseParts) => void;

  constructor(private readonly over: OverFake) {}

  async call(id: OperationId, parts: LooseParts = {}): Promise<unknown> {
    const request = requestOf(parts);
    await this.onCall?.(id, request);
    const answer = await this.over.call(id, request);
    const { status, body, file } = answer;
    if (status >= 300) throw new Error(`${id}: ${status} ${String(body['message'])}`);
    if (file !== undefined) return await contentOf(answer);
    this.onResult?.(id, 'result' in body ? (body['result'] as unknown) : body, parts);
    return body;
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
