import { expect } from '@jest/globals';
import { type OperationId, operationOf } from '#contract';
import {
  FakeDispatcher,
  FakeEngine,
  type FaultRule,
  type LoggedRequest,
  MemoryStorage,
  readFake,
} from '#fakes';
import { lintRecord } from '#ocsf';
import { Engine, type Ran } from '../../apps/provider-kit/src/engine.js';
import type { OurRequest } from '../../apps/provider-kit/src/fixture.js';
import { ProviderFolder } from '../../apps/provider-kit/src/folders.js';
import { fixedToken } from '../../apps/provider-kit/src/tokens.js';
import { faultsOfResponse } from '../../apps/provider-kit/src/validate-response.js';
import type { Description } from '../simulators/description.js';
import { DescribedFake } from './shared-description.js';

/** A record of any shape: tests look into it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyRecord = Record<string, any>;

interface Options {
  /** Folder of libs/providers. */
  folder: string;
  start: Date;
  /** `provider_config`, from the credentials of the fake's principal: a function, because they follow from the fake. */
  configuration: (secret: string) => Record<string, unknown>;
  /** The principal whose credentials the integration has. */
  principal?: string;
  /** OCSF class by operation, as the contract calls it: records of the others are not linted. */
  classes?: Partial<Record<string, string>>;
  /** The vendor's description, which every request and response is held against. */
  description?: Description | undefined;
}

/** A provider document over the fake of its vendor, both in this process, without a database. */
export class ProviderOverFake {
  readonly fake: FakeEngine;
  private readonly engine: Engine;
  private readonly described: DescribedFake | undefined;
  private readonly classes: NonNullable<Options['classes']>;

  constructor({ principal = 'admin', classes = {}, ...options }: Options) {
    const folder = new ProviderFolder(options.folder);
    const at = options.start.getTime();
    this.classes = classes;
    this.fake = new FakeEngine(
      readFake(folder.read('fake.yaml'), (name) => folder.read(name)),
      {
        storage: new MemoryStorage(),
        clock: () => at,
        start: options.start,
        dataset: 'BASIC',
        key: 'spec',
      },
    );
    if (options.description !== undefined)
      this.described = new DescribedFake(this.fake, options.description);
    const { secret = '' } =
      this.fake.credentials().find((one) => one.principal === principal) ?? {};
    this.engine = new Engine({
      folder,
      configuration: options.configuration(secret),
      detour: new FakeDispatcher(this.described ?? this.fake),
      at,
      tokens: fixedToken('none'),
    });
  }

  /** The requests that the fake got since this was asked last; of parameters that were sent once, the value. */
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

  async run(id: string, request: OurRequest = {}, meta: readonly string[] = []): Promise<Ran> {
    const ran = await this.engine.run(operationOf(id as OperationId), request, meta);
    expect(this.fake.log.violations).toEqual([]);
    expect(this.described?.faults.splice(0) ?? []).toEqual([]);
    return ran;
  }

  /** Calls an operation that succeeds; its response is held against the contract, and its records against OCSF. */
  async call(
    id: string,
    request: OurRequest = {},
    meta: readonly string[] = [],
  ): Promise<AnyRecord> {
    const { answer } = await this.run(id, request, meta);
    expect([answer.status, answer.body]).toEqual([
      operationOf(id as OperationId).response.status,
      answer.body,
    ]);
    expect(faultsOfResponse(operationOf(id as OperationId), answer.status, answer.body)).toEqual(
      [],
    );
    const { result } = (answer.body ?? {}) as { result?: unknown };
    const schema = this.classes[id];
    if (schema !== undefined)
      for (const record of [result].flat()) {
        const { errors, warnings } = lintRecord(record, { class: schema });
        expect([...errors, ...warnings]).toEqual([]);
      }
    return answer.body ?? {};
  }

  /** The file that an operation answers with. */
  async file(id: string, request: OurRequest): Promise<{ headers: AnyRecord; bytes: Buffer }> {
    const { answer } = await this.run(id, request);
    expect(answer.status).toBe(200);
    const { file = {}, headers = {} } = answer as { file?: AnyRecord; headers?: AnyRecord };
    const { text, base64, json } = file as { text?: string; base64?: string; json?: unknown };
    const written = text ?? (json === undefined ? '' : JSON.stringify(json));
    const bytes = base64 === undefined ? Buffer.from(written) : Buffer.from(base64, 'base64');
    return { headers, bytes };
  }

  /** Calls an operation that fails. @returns the problem */
  async refuse(id: string, status: number, request: OurRequest = {}): Promise<AnyRecord> {
    const { answer } = await this.run(id, request);
    expect([answer.status, answer.body]).toEqual([status, answer.body]);
    expect(faultsOfResponse(operationOf(id as OperationId), status, answer.body)).toEqual([]);
    return answer.body as AnyRecord;
  }

  /** Reads a list to its end by pages of the given size. */
  async pages(id: string, limit: number, request: OurRequest = {}): Promise<AnyRecord[][]> {
    const pages: AnyRecord[][] = [];
    let cursor = '';
    do {
      const query = { ...request.query, limit, ...(cursor === '' ? {} : { cursor }) };
      const body = await this.call(id, { ...request, query });
      pages.push(body['result'] as AnyRecord[]);
      cursor = body['cursor'] as string;
      expect(pages.length).toBeLessThan(1_000);
    } while (cursor !== '');
    return pages;
  }

  async all(id: string, request: OurRequest = {}): Promise<AnyRecord[]> {
    return (await this.pages(id, 100, request)).flat();
  }

  /** Calls an operation while the provider fails. @returns status and message of the problem, and its remedy */
  async failing(id: string, rule: FaultRule, request: OurRequest = {}): Promise<AnyRecord> {
    this.fake.faults.add({ times: 10, ...rule });
    const { answer } = await this.engine.run(operationOf(id as OperationId), request);
    this.fake.faults.clear();
    this.described?.faults.splice(0); // a fault is not what the vendor describes
    return { status: answer.status, ...(answer.body as object) };
  }

  verify(): Promise<Ran> {
    return this.engine.verify();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
