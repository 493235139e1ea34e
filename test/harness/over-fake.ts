import { readFileSync } from 'node:fs';
import type { OperationId } from '#contract';
import {
  type FakeCredentials,
  FakeDispatcher,
  FakeEngine,
  type FakeRequest,
  type FakeResponse,
  type FaultRule,
  type LoggedRequest,
  MemoryStorage,
  readFake,
  type ReadRequest,
} from '#fakes';
import { lintRecord } from '#ocsf';
import type { ClientFunctions } from '#provider-document';
import type { Description } from '../simulators/description.js';
import {
  type Answer,
  bytesOf,
  type Json,
  OverProvider,
  type ProviderParts,
  type Request,
} from './over-provider.js';
import { DescribedFake } from './shared-description.js';

export interface OverFakeOptions extends Pick<ProviderParts, 'ownAwsKeys' | 'tokens'> {
  /** `provider_config` without its credential. */
  config?: Json;
  /** Makes the credential of what the fake accepts; by default a token. */
  credential?: (accepted: FakeCredentials) => Json;
  /** Where `provider_config` has the credential. */
  slot?: string;
  /** The caller of the fake whose credentials the integration has. */
  principal?: string;
  /** Those of the vendor's client.ts. */
  functions?: ClientFunctions;
  /** The vendor's description, against which every request and response of the fake is held where it is there. */
  description?: Description | undefined;
  /** Paths that are missing in the description. */
  undescribed?: RegExp;
  /** OCSF class of an operation's records; those of the others are linted as the class that they name. */
  classes?: Partial<Record<OperationId, string>>;
  /** Goes in front of the fake, such as a service that gives keys for it. */
  before?: (request: ReadRequest) => FakeResponse | undefined;
  /** Records per page of `all`. */
  pageSize?: number;
}

/** The document of a vendor over the vendor's fake. Records are held against the lint of OCSF, and the fake against its own rules. */
export class OverFake extends OverProvider {
  readonly start: Date;
  /** The time of the document and of the fake, in epoch milliseconds. */
  now: number;
  /** Time that each request to the fake takes on its clock. */
  requestMs = 0;
  fake: FakeEngine;
  private described: DescribedFake | undefined;

  /** @param type id of the provider */
  constructor(
    private readonly folder: URL,
    type: string,
    private readonly options: OverFakeOptions = {},
  ) {
    const handle: FakeEngine['handle'] = async (request) => {
      this.now += this.requestMs;
      const before = isRead(request) ? options.before?.(request) : undefined;
      return before ?? (await (this.described ?? this.fake).handle(request));
    };
    const { functions, ownAwsKeys, tokens } = options;
    super({
      ...{ folder, type, functions, ownAwsKeys, tokens, callMs: 60_000 },
      dispatcher: new FakeDispatcher({ handle }),
      policy: { checkUrl: (text: string) => new URL(text) } as never,
      clock: { now: () => this.now },
    });
    this.start = new Date('2026-11-22T00:00:00Z');
    this.now = this.start.getTime();
    this.fake = this.makeFake();
    const { principal = 'admin', config = {}, credential = tokenOf, slot = 'credential' } = options;
    const accepted = this.fake.credentials().find((one) => one.principal === principal);
    if (accepted === undefined) throw new Error(`the fake knows no ${principal}`);
    this.configure({ ...config, [slot]: credential(accepted) });
  }

  /** Starts again with the records of the world. */
  reset(): void {
    this.now = this.start.getTime();
    this.fake = this.makeFake();
  }

  override all(
    id: OperationId,
    query: Record<string, unknown> = {},
    path = {},
    options: { checked?: boolean } = {},
  ): Promise<Json[]> {
    const { pageSize = 500 } = this.options;
    return super.all(id, { limit: pageSize, ...query }, path, options);
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
    this.described?.faults.splice(0); // a fault is not what the vendor describes
    return { status, ...body };
  }

  protected faultsOf(id: OperationId, { status, body }: Answer): string[] {
    const { undescribed = /^$/, classes = {} } = this.options;
    const records = status < 300 ? [body['result'] as unknown].flat() : [];
    const schema = classes[id];
    return [
      ...this.fake.log.violations.map((one) => JSON.stringify(one)),
      ...(this.described?.faults ?? []).filter((one) => !undescribed.test(one)),
      ...records
        .filter((record) => schema !== undefined || isOcsf(record))
        .flatMap((record) => {
          const { errors, warnings } = lintRecord(
            record,
            schema === undefined ? {} : { class: schema },
          );
          return [...errors, ...warnings].map((one) => `${one.pointer} ${one.message}`);
        }),
    ];
  }

  private read(name: string): string {
    return readFileSync(new URL(name, this.folder), 'utf8');
  }

  private makeFake(): FakeEngine {
    const fake = new FakeEngine(
      readFake(this.read('fake.yaml'), (name) => this.read(name)),
      {
        storage: new MemoryStorage(),
        clock: () => this.now,
        ...{ start: this.start, dataset: 'BASIC', key: 'any secret' },
      },
    );
    const { description } = this.options;
    this.described = description && new DescribedFake(fake, description);
    return fake;
  }
}

function tokenOf({ secret }: FakeCredentials): Json {
  return { type: 'token', secret };
}

function isOcsf(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'class_uid' in record;
}

/** False while the body is a file, which comes in chunks. */
function isRead(request: FakeRequest): request is ReadRequest {
  return request.body === undefined || request.body instanceof Uint8Array;
}
