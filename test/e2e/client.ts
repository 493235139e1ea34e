import {
  type Body,
  type OperationId,
  operationOf,
  type Path,
  type Problem,
  type Query,
  type Result,
} from '#contract';
import { faultsOfResponse } from '#apps/provider-kit';

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

export interface Parts<Id extends OperationId> {
  path?: Path<Id>;
  query?: Partial<Query<Id>> | Record<string, unknown>;
  body?: Loose<Body<Id>>;
  headers?: Record<string, string>;
}

/** Fields with a default are required in the generated types; a caller may leave them out. */
type Loose<T> = T extends readonly (infer One)[]
  ? Loose<One>[]
  : T extends object
    ? { [Key in keyof T]?: Loose<T[Key]> }
    : T;

/** Parts of a call whose operation is not known to the compiler. */
export interface LooseParts {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls a running Onefold over HTTP. Every response, good or bad, is checked against the contract. */
export class Client {
  /** Called with the text of each response. */
  onAnswer?: (text: string) => void;

  constructor(
    readonly url: string,
    private readonly token?: string,
    /** Returns the log of the services, for the message of a failed test. */
    private readonly log: () => string = () => '',
  ) {}

  as(token: string | undefined): Client {
    return new Client(this.url, token, this.log);
  }

  /** Headers of every call. */
  get headers(): Record<string, string> {
    return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
  }

  /** Calls and expects success. @returns the body of the response */
  async call<Id extends OperationId>(id: Id, parts: Parts<Id> = {}): Promise<Result<Id>> {
    const { status, body, text } = await this.send<Result<Id>>(id, parts);
    if (status !== operationOf(id).response.status)
      throw new Error(this.describeAnswer(id, 'success', status, text));
    return body;
  }

  /** Calls and expects the given failure. */
  async refuse<Id extends OperationId>(
    id: Id,
    status: number,
    parts: Parts<Id> = {},
  ): Promise<Problem> {
    const answer = await this.send<Problem>(id, parts);
    if (answer.status !== status)
      throw new Error(this.describeAnswer(id, status, answer.status, answer.text));
    return answer.body;
  }

  private describeAnswer(id: OperationId, expected: unknown, status: number, text: string): string {
    const instance = /"instance":"\/requests\/([^"]+)"/.exec(text)?.[1] ?? 'none';
    const lines = this.log()
      .split('\n')
      .filter((line) => line.includes(instance));
    return `${id}: expected ${String(expected)}, got ${status}: ${text.slice(0, 2000)}\n${lines.join('\n')}`;
  }

  /** Calls and returns any response. */
  async send<T>(id: OperationId, parts: LooseParts = {}): Promise<Answer<T>> {
    const operation = operationOf(id);
    const url = this.address(id, parts);
    const json = parts.body === undefined ? {} : { body: JSON.stringify(parts.body) };
    return this.fetch<T>(id, url, {
      method: operation.method,
      headers: {
        ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...parts.headers,
      },
      ...json,
    });
  }

  /** Sends a request of any shape to an operation's address. */
  async fetch<T>(id: OperationId, url: string, init: RequestInit): Promise<Answer<T>> {
    const operation = operationOf(id);
    const response = await fetch(url, {
      ...init,
      headers: { ...this.headers, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    this.onAnswer?.(text);
    const body = parse(text, response);
    const faults = faultsOfResponse(
      operation,
      response.status,
      body,
      response.headers.get('content-type'),
    );
    if (response.headers.get('x-request-id') === null) faults.push('X-Request-Id is missing');
    if (faults.length > 0)
      throw new Error(
        `${id} answered ${response.status} against the contract:\n${faults.slice(0, 20).join('\n')}\n${text.slice(0, 2000)}`,
      );
    return { status: response.status, headers: response.headers, body: body as T, text };
  }

  /** Returns the address of an operation with its parameters filled in. */
  address(id: OperationId, { path = {}, query = {} }: LooseParts): string {
    const values = path as Record<string, string>;
    const filled = operationOf(id).path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${id} needs the path parameter ${name}`);
      return encodeURIComponent(value);
    });
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query as object) as [string, unknown][])
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined) search.append(name, String(one));
    return `${this.url}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
  }
}

function parse(text: string, response: Response): unknown {
  if (text === '') return undefined;
  if (!(response.headers.get('content-type') ?? '').includes('json')) return text;
  return JSON.parse(text);
}
