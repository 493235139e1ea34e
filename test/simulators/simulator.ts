import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mediaType, readBody, readBytes } from './body.js';
import { control, controlPrefix } from './control.js';
import { Description } from './description.js';
import { breakDown, type Fault, Faults, faultyAnswer } from './faults.js';
import { Limit } from './limit.js';
import { Log, type LoggedRequest } from './log.js';
import {
  type Answer,
  Disallowed,
  type Exchange,
  type PlainRequest,
  Refusal,
  type SimulatorOptions,
  type Vendor,
} from './vendor.js';

/** Vendor's system on loopback: every request and every response is checked against the vendor's description. */
export class Simulator {
  readonly faults = new Faults();
  readonly log = new Log();
  vendor: Vendor;
  private readonly description: Description;
  private readonly server: Server;
  private limit = new Limit();
  private origin = '';

  constructor(private readonly options: SimulatorOptions) {
    this.description = new Description(options.description);
    this.vendor = options.create();
    const keys = new Set(this.description.operations.map(({ key }) => key));
    const unknown = Object.keys(this.vendor.routes).filter((route) => !keys.has(route));
    if (unknown.length > 0) throw new Error(`not in the description: ${unknown.join(', ')}`);
    this.server = createServer((request, response) => {
      this.serve(request, response).catch((error: unknown) => {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.stderr.write(`${message}\n`);
        if (!response.headersSent) send(response, broken({ message }));
        else response.destroy();
      });
    });
  }

  /** Listens on loopback and returns its address. */
  async listen(port: number): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this.origin;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Resets the state to that after the start. */
  reset(): void {
    this.vendor = this.options.create();
    this.limit = new Limit();
    this.faults.clear();
    this.log.clear();
  }

  setLimit(requests: number, seconds: number): void {
    this.limit = new Limit(requests, seconds * 1_000);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBytes(request);
    if (bytes === 'too large') return send(response, this.vendor.failure(413));
    const arrived = {
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', this.origin),
      headers: flat(request),
      bytes,
    };
    if (arrived.url.pathname.startsWith(controlPrefix)) return this.serveControl(arrived, response);
    const logged = this.record(arrived);
    const fault = this.faults.take(`${arrived.method} ${arrived.url.pathname}`, bytes);
    const answer = await this.answer(arrived, logged, fault);
    if (fault !== undefined) {
      logged.fault = fault.kind;
      if (await breakDown(fault, response)) return;
    }
    logged.status = answer.status;
    send(response, answer);
  }

  private async serveControl(arrived: PlainRequest, response: ServerResponse): Promise<void> {
    const { json, malformed } = await readBody('application/json', arrived.bytes);
    const { method, url } = arrived;
    send(
      response,
      malformed
        ? { status: 400, body: { message: 'the body is not valid JSON' } }
        : control(this, method, url.pathname, json),
    );
  }

  private record({ method, url, headers, bytes }: PlainRequest): LoggedRequest {
    const query = Object.fromEntries(
      [...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)]),
    );
    const request = { method, path: url.pathname, query, headers, body: bytes.length };
    return this.log.add({ ...request, operation: null, status: null, fault: null });
  }

  private async answer(
    arrived: PlainRequest,
    logged: LoggedRequest,
    fault: Fault | undefined,
  ): Promise<Answer> {
    const outside = this.vendor.elsewhere?.(arrived);
    if (outside !== undefined) {
      const { json } = await readBody(arrived.headers['content-type'], arrived.bytes);
      if (json !== undefined) logged.body = json;
      return outside;
    }
    const matched = this.description.match(arrived.method, arrived.url.pathname);
    if (matched === undefined)
      return this.violated(logged, ['the description has no such operation']);
    const { operation, params } = matched;
    logged.operation = operation.key;
    const body = await readBody(arrived.headers['content-type'], arrived.bytes);
    if (body.json !== undefined) logged.body = body.json;
    if (body.malformed) return this.vendor.malformed();
    const { query, faults } = this.description.readParameters(
      operation,
      params,
      arrived.url.searchParams,
      arrived.headers,
    );
    const type =
      arrived.bytes.length > 0 ? mediaType(arrived.headers['content-type'] ?? '') : undefined;
    faults.push(...this.description.checkBody(operation, type, body.json));
    if (faults.length > 0) return this.violated(logged, faults);
    const broke = fault === undefined ? undefined : faultyAnswer(fault, this.vendor);
    if (broke !== undefined) return broke;
    if (fault !== undefined && fault.kind !== 'slow') return { status: 500 }; // Not sent: the response is broken below
    // HTTP.
    const exchange = {
      operation: operation.key,
      params: params as Record<string, string>,
      query,
      headers: arrived.headers,
      body: body.json,
      files: body.files,
      origin: this.origin,
      url: arrived.url,
    };
    const answer = this.work(exchange, logged);
    const wrong = this.description.checkAnswer(
      operation,
      answer.status,
      Buffer.isBuffer(answer.body) || answer.body === undefined ? undefined : 'application/json',
      // Serialization leaves undefined properties out.
      answer.body === undefined ? undefined : (JSON.parse(JSON.stringify(answer.body)) as unknown),
    );
    return wrong.length === 0 ? answer : this.violated(logged, wrong, 'answer');
  }

  private work(exchange: Omit<Exchange, 'user'>, logged: LoggedRequest): Answer {
    const allowance = this.limit.count();
    const headers = this.vendor.headers?.(allowance);
    try {
      if (allowance.remaining < 0)
        return this.vendor.limited({ ...allowance, remaining: 0 }, false);
      const route = this.vendor.routes[exchange.operation];
      if (route === undefined) throw new Error(`${exchange.operation} is not simulated`);
      const user = this.vendor.authenticate(exchange.headers);
      const answer = route({ ...exchange, user });
      return { ...answer, headers: { ...headers, ...answer.headers } };
    } catch (error) {
      if (error instanceof Disallowed) return this.violated(logged, error.faults, error.side);
      if (!(error instanceof Refusal)) throw error;
      return { ...error.answer, headers: { ...headers, ...error.answer.headers } };
    }
  }

  /** A mistake of the client is a 400, one of the simulator a 500, both in a shape that no vendor uses. */
  private violated(
    logged: LoggedRequest,
    faults: string[],
    side: 'request' | 'answer' = 'request',
  ): Answer {
    const operation = logged.operation ?? `${logged.method} ${logged.path}`;
    this.log.violate({ request: logged.number, side, operation, faults });
    return { ...broken({ side, operation, faults }), status: side === 'request' ? 400 : 500 };
  }
}

function broken(violation: object): Answer {
  return { status: 500, body: { simulator_violation: violation } };
}

function flat(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body) ?? '');
  const type =
    body === undefined || Buffer.isBuffer(body)
      ? {}
      : { 'content-type': 'application/json; charset=utf-8' };
  const length = status === 204 ? {} : { 'content-length': bytes.length };
  response.writeHead(status, { ...type, ...length, ...headers });
  response.end(status === 204 ? undefined : bytes);
}
