import type { Dispatcher } from 'undici';
import { type OperationId, operationOf } from '#contract';
import {
  addCopies,
  type Dataset,
  type FakeCredentials,
  FakeDispatcher,
  type FakeDocument,
  FakeEngine,
  type FakeRequest,
  type FakeResponse,
  type FaultRule,
  type LoggedRequest,
  MemoryStorage,
  readFakeFile,
} from '#fakes';
import type { ClientFunctions } from '#provider-document';
import { NoPauses } from '#egress';
import { ocsfFaults } from '../ocsf-faults.js';
import { DescribedFake, type VendorDescription } from './described-fake.js';
import {
  type Answer,
  bytesOf,
  type Json,
  OverProvider,
  type ProviderParts,
  type Request,
} from './over-provider.js';

export interface OverFakeOptions extends Pick<
  ProviderParts,
  'ownAwsKeys' | 'permits' | 'providers' | 'store' | 'strict' | 'tokens'
> {
  /** `provider_config` without its credential. */
  config?: Json;
  /** Makes the credential of what the fake accepts; by default a token. */
  credential?: (accepted: FakeCredentials) => Json;
  /** Where `provider_config` has the credential. */
  slot?: string;
  /** Makes the credentials of other slots of the document, as a part of `provider_config`. */
  otherCredentials?: (accepted: FakeCredentials) => Json;
  /** The caller of the fake whose credentials the integration has. */
  principal?: string;
  /** Those of the vendor's client.ts. */
  functions?: ClientFunctions;
  /** The vendor's description, against which every request and response of the fake is held where it is there. */
  description?: VendorDescription | undefined;
  /** Paths that are missing in the description. */
  undescribed?: RegExp;
  /** OCSF class of an operation's records; those of the others are linted as the class that they name. */
  classes?: Partial<Record<OperationId, string>>;
  /** Goes in front of the fake, such as a service that gives keys for it. */
  before?: (request: FakeRequest) => FakeResponse | undefined;
  /** Records per page of `all`. */
  pageSize?: number;
  /** The time at which the world begins; a fixed one when absent. */
  start?: Date;
  /** Time that passes with every request to the fake, in which its jobs go on; none when absent. */
  requestMs?: number;
  /** The records of the fake; those of the company when absent. */
  dataset?: Dataset;
  /** The fake, if it is not to be read from the folder. */
  document?: FakeDocument;
  /** Makes another fake of the vendor's, such as one with a mistake. */
  alter?: (document: FakeDocument) => FakeDocument;
  /** Carries the requests, if the fake is not to be called in this process. */
  dispatcher?: Pick<Dispatcher, 'dispatch'>;
}

/** A request and the answer to it. */
export interface KeyedResponse {
  /** {@link keyOf} the request. */
  key: string;
  response: FakeResponse;
}

/** Rows of a page where a list is read to its end. */
const maxRows = 500;
const defaultStart = new Date('2026-11-22T00:00:00Z');

/** The document of a vendor over the vendor's fake. Records are held against the lint of OCSF, and the fake against its own rules. */
export class OverFake extends OverProvider {
  readonly start: Date;
  /** The time of the document and of the fake, in epoch milliseconds. */
  now: number;
  /** Time that each request to the fake takes on its clock. */
  requestMs: number;
  fake: FakeEngine;
  /** Called before each request that arrives at the fake. @returns what goes wrong with it */
  intercept: ((request: FakeRequest) => FaultRule | undefined) | undefined;
  /** Answers instead of the fake, with the number of the request since `answered` was set. */
  answer: ((key: string, index: number) => FakeResponse | undefined) | undefined;
  /** Collects the requests to the fake, without those for tokens, and its answers, where a check has set it. */
  answered: KeyedResponse[] | undefined;
  private readonly document: FakeDocument;
  private storage = new MemoryStorage();
  private described: DescribedFake | undefined;

  /** @param type id of the provider */
  constructor(
    folder: URL,
    type: string,
    private readonly options: OverFakeOptions = {},
  ) {
    const handle: FakeEngine['handle'] = async (request) => {
      this.now += this.requestMs;
      if (isTokenRequest(request))
        return options.before?.(request) ?? (await (this.described ?? this.fake).handle(request));
      const fault = this.intercept?.(request);
      if (fault !== undefined) this.fake.faults.add(fault);
      const key = keyOf(request);
      const response =
        options.before?.(request) ??
        this.answer?.(key, this.answered?.length ?? 0) ??
        (await (this.described ?? this.fake).handle(request));
      this.answered?.push({ key, response });
      return response;
    };
    const { functions, providers, ownAwsKeys, permits, store, strict, tokens } = options;
    const { dispatcher = new FakeDispatcher({ handle }) } = options;
    super({
      folder,
      type,
      functions,
      providers,
      ownAwsKeys,
      permits,
      store,
      strict,
      tokens,
      callMs: 60_000,
      dispatcher: dispatcher as Dispatcher,
      policy: { checkUrl: (text: string) => new URL(text) } as never,
      clock: { now: () => this.now },
      pauses: new NoPauses((ms) => (this.now += ms)),
    });
    const { start = defaultStart, requestMs = 0, alter = (document) => document } = options;
    this.start = start;
    this.now = start.getTime();
    this.requestMs = requestMs;
    const { document = readFakeFile(new URL('fake.yaml', folder)) } = options;
    this.document = alter(document);
    this.fake = this.makeFake();
    const { principal = 'admin', config = {}, credential = tokenOf, slot = 'credential' } = options;
    const { otherCredentials = () => ({}) } = options;
    const accepted = this.fake.credentials().find((one) => one.principal === principal);
    if (accepted === undefined) throw new Error(`the fake knows no ${principal}`);
    this.configure({ ...config, [slot]: credential(accepted), ...otherCredentials(accepted) });
  }

  /** Starts again with the records of the world. */
  reset(): void {
    this.now = this.start.getTime();
    this.storage = new MemoryStorage();
    this.fake = this.makeFake();
  }

  /** The fake's records that differ from the world. */
  get changes(): { collection: string; entry: unknown }[] {
    return this.storage.changes();
  }

  /** Fields that the fake has sent and that the vendor's description, if there is one, does not have. */
  get undescribedFields(): string[] {
    return [...(this.described?.unknownFields ?? [])];
  }

  /** Does something on a copy of the vendor's records, which are as before when it has ended. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    const { storage, fake, described, now } = this;
    this.storage = storage.copy();
    this.fake = this.makeFake();
    try {
      return await work();
    } finally {
      Object.assign(this, { storage, fake, described, now });
    }
  }

  /** Adds records to the collections that routes of the fake list. @param routes their keys, as the log has them */
  async addCopies(routes: ReadonlySet<string | null>): Promise<void> {
    await addCopies(this.document, this.storage, { start: this.start, now: this.now, routes });
  }

  override all(
    id: OperationId,
    query: Record<string, unknown> = {},
    path = {},
    options: { checked?: boolean } = {},
  ): Promise<Json[]> {
    const { maximum = maxRows } = operationOf(id).query['limit'] ?? {};
    const limit = Math.min(this.options.pageSize ?? maxRows, maximum);
    return super.all(id, { limit, ...query }, path, options);
  }

  /** Calls an operation that returns a file. */
  async file(
    id: OperationId,
    request: Request,
  ): Promise<{ headers: Readonly<Record<string, string>>; bytes: Buffer }> {
    const answer = await this.call(id, request);
    return { bytes: await bytesOf(answer), headers: answer.file?.headers ?? {} };
  }

  /** The requests that the fake got since the last call; of a parameter that was sent once, the value. */
  requests(): LoggedRequest[] {
    return this.fake.log.requests.splice(0).map((request) => ({
      ...request,
      query: Object.fromEntries(
        Object.entries(request.query).map(([name, value]) => {
          const values = [value].flat();
          return [name, values.length === 1 ? values[0] : values];
        }),
      ),
    }));
  }

  /** Calls an operation while the provider fails. @returns status and message of the problem, and its remedy */
  async failing(id: OperationId, rule: FaultRule, request: Request = {}): Promise<Json> {
    this.fake.faults.add({ times: 10, ...rule });
    const { status, body } = await this.answerTo(id, request);
    this.fake.faults.clear();
    return { status, ...body };
  }

  protected faultsOf(id: OperationId, { status, body }: Answer): string[] {
    const { classes = {} } = this.options;
    return [
      ...this.fake.log.violations.map((one) => JSON.stringify(one)),
      ...(this.described?.faults ?? []),
      ...(status < 300 ? ocsfFaults(id, body['result'], classes[id]) : []),
    ];
  }

  private makeFake(): FakeEngine {
    const fake = new FakeEngine(this.document, {
      storage: this.storage,
      clock: () => this.now,
      start: this.start,
      dataset: this.options.dataset ?? 'BASIC',
      key: 'any secret',
    });
    const { description, undescribed } = this.options;
    this.described = description && new DescribedFake(fake, description, undescribed);
    return fake;
  }
}

/** Token requests: a refused token has tests of its own. */
function isTokenRequest({ url }: FakeRequest): boolean {
  return new URL(url).pathname.endsWith('token');
}

/** Returns method, address and body of a request: equal requests get equal answers. */
export function keyOf({ method, url, body = new Uint8Array() }: FakeRequest): string {
  return `${method} ${url} ${body instanceof Uint8Array ? Buffer.from(body).toString() : ''}`;
}

function tokenOf({ secret }: FakeCredentials): Json {
  return { type: 'token', secret };
}
