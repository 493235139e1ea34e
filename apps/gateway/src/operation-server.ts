import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import {
  Bus,
  type BusReply,
  Cancellation,
  type Envelope,
  logIds,
  type Origin,
  subjectOf,
} from '#bus';
import {
  ApiError,
  badRequest,
  budgetMs,
  type Fault,
  matchRoute,
  notImplemented,
  type Operation,
  operations,
  readQuery,
  servedDocument,
  validateBody,
} from '#contract';
import { Metrics } from '#observe';
import { clientAddress } from './client-address.js';
import { allowOrigin, answerOptions } from './cross-origin.js';
import { maskTokens } from '#secrets';
import { Authenticator, type Whose } from './authenticate.js';
import { GatewaySettings } from './gateway-settings.js';
import { GatewayTrail } from './gateway-trail.js';
import { readJsonBody } from './read-body.js';
import { refuseTokens } from './refuse-tokens.js';
import { Upload } from './upload.js';
import { asApiError, writeProblem, writeReply } from './write-answer.js';

const log = new Logger('gateway');
const requestIdForm = /^[\w.:-]{1,128}$/;
const mostMeta = 20;
/** In logs and metrics: the client closed its connection before there was an answer. The number is nginx's. */
const clientClosed = 499;
const drainMs = 10_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  address: string;
  method: string;
  pathname: string;
  search: string;
  /** Whose token the call came with, once that is known. */
  whose?: Whose;
  /** True once a service has it: what happens to it then is that service's to record. */
  forwarded?: true;
}

/** Answers the paths of the contract, ahead of Express: match, authenticate, validate, forward, pass the bytes back. */
@Injectable()
export class OperationServer {
  private draining = false;

  constructor(
    private readonly bus: Bus,
    private readonly authenticator: Authenticator,
    private readonly settings: GatewaySettings,
    private readonly metrics: Metrics,
    private readonly trail: GatewayTrail,
  ) {}

  /** From now on every answer closes its connection, so that clients go elsewhere. */
  drain(): void {
    this.draining = true;
  }

  /** @returns false when the path is none of the contract's. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = request.url ?? '/';
    const cut = url.indexOf('?');
    const pathname = cut < 0 ? url : url.slice(0, cut);
    if (pathname !== '/v1' && !pathname.startsWith('/v1/')) return false;
    const given = request.headers['x-request-id'];
    const exchange: Exchange = {
      request,
      response,
      pathname,
      search: cut < 0 ? '' : url.slice(cut + 1),
      requestId: typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID(),
      address: clientAddress(request, this.settings.proxyHops),
      method: request.method ?? 'GET',
    };
    response.setHeader('x-request-id', exchange.requestId);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cache-control', 'no-store');
    if (this.draining) response.setHeader('connection', 'close');
    allowOrigin(this.settings.corsOrigins, request, response);
    void this.serve(exchange);
    return true;
  }

  private async serve(exchange: Exchange): Promise<void> {
    const { response, requestId, method, pathname } = exchange;
    const isHead = method === 'HEAD';
    const started = performance.now();
    const match = matchRoute(isHead ? 'GET' : method, pathname);
    const operation = match && 'operation' in match ? match.operation : undefined;
    const finished = this.metrics.request(operation?.id ?? 'unknown');
    let failure: ApiError | undefined;
    try {
      if (match === undefined)
        throw new ApiError(404, `there is no path ${pathname.slice(0, 200)}`, {
          remediation: 'The reference of the API is at /reference.',
        });
      if ('malformed' in match)
        throw badRequest({
          location: 'path',
          pointer: match.malformed,
          message: 'is not percent-encoded UTF-8',
          remediation: 'Encode it with encodeURIComponent or its like.',
        });
      if ('allow' in match) return this.otherMethod(exchange, match.allow);
      const reply = await this.answer(exchange, match.operation, match.path);
      await this.record(exchange, match.operation, reply.status);
      await writeReply(response, reply, isHead);
    } catch (error) {
      failure = asApiError(error);
      if (operation) await this.record(exchange, operation, failure.status, failure.message);
      if (!response.destroyed) writeProblem(response, failure, requestId, isHead);
    } finally {
      drain(exchange.request);
      const isGone = response.destroyed && !response.headersSent;
      const status = isGone ? clientClosed : response.statusCode;
      finished(status);
      const line = {
        message: 'request',
        ...logIds({
          requestId,
          ...headerValue('traceparent', exchange.request.headers['traceparent']),
        }),
        operation: operation?.id,
        method,
        status,
        ms: Math.round(performance.now() - started),
      };
      if (failure?.status === 500 && !isGone) log.error({ ...line, error: failure.cause });
      else log.debug(line);
    }
  }

  /** What ends here, with nobody behind to record it. */
  private async record(
    exchange: Exchange,
    operation: Operation,
    status: number,
    message?: string,
  ): Promise<void> {
    const { whose, forwarded } = exchange;
    if (whose && !forwarded)
      await this.trail.note(operation, whose, originOf(exchange), status, message);
  }

  private async answer(
    exchange: Exchange,
    operation: Operation,
    path: Record<string, string>,
  ): Promise<BusReply> {
    const { request, response, requestId, address } = exchange;
    const deadline = Date.now() + budgetMs(operation);
    const authorization = request.headers.authorization;
    const caller = await this.authenticator.authenticate(
      authorization,
      operation,
      originOf(exchange),
      (whose) => (exchange.whose = whose),
    );
    refuseTokens(operation, path, exchange.search);
    if (operation.state === 'planned')
      throw notImplemented(
        `${operation.id} is not served by this version`,
        'The reference of the API says which operations are.',
      );
    const search = new URLSearchParams(exchange.search);
    const { query, faults } = readQuery(operation, search);
    const body =
      operation.request === 'json'
        ? await readJsonBody(request, operation, this.settings.maxBodyBytes)
        : undefined;
    if (body) faults.push(...validateBody(operation, body.value));
    const meta = operation.meta ? metaCalls(query, body?.value, faults) : [];
    if (faults.length > 0) throw badRequest(faults);
    if (operation.group === 'meta') return document(operation, this.baseUrl(request));
    const envelope: Envelope = {
      operation: operation.id,
      caller,
      path,
      query,
      meta,
      requestId,
      deadline,
      remoteAddress: address,
      userAgent: userAgentOf(request),
      ...headerValue('traceparent', request.headers['traceparent']),
      ...(operation.creates ? idempotencyKey(request.headers['idempotency-key']) : {}),
      ...headerValue('contentType', request.headers['content-type']),
      ...(operation.request === 'multipart' ? lengthOf(request) : {}),
    };
    const hangUp = new Cancellation();
    const hungUp = () => {
      if (!response.writableEnded) hangUp.cancel(new Error('the client hung up'));
    };
    if (response.closed)
      hungUp(); // while it was found out who calls
    else response.once('close', hungUp);
    const upload =
      operation.request === 'multipart'
        ? new Upload(request, this.settings.maxUploadBytes, (error) => hangUp.cancel(error))
        : undefined;
    exchange.forwarded = true;
    const subject = subjectOf(operation, caller?.category);
    const reply = await this.bus
      .request(subject, envelope, upload ?? body?.bytes, hangUp)
      .finally(() => upload?.end());
    this.authenticator.refusedBy(operation, reply.status, address);
    return reply;
  }

  private otherMethod({ request, response, method }: Exchange, allowed: readonly string[]): void {
    const all = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    const allow = all.join(', ');
    if (method !== 'OPTIONS')
      throw new ApiError(405, `the path does not have the method ${method}`, {
        remediation: `Use ${allow}.`,
        headers: { allow },
      });
    answerOptions(request, response, allow);
  }

  private baseUrl({ headers }: IncomingMessage): string {
    return `http://${headers.host ?? `${this.settings.host}:${this.settings.port}`}`;
  }
}

function userAgentOf({ headers }: IncomingMessage): string {
  return (headers['user-agent'] ?? '').slice(0, 500);
}

function originOf({ request, requestId, method, pathname, address }: Exchange): Origin {
  return {
    requestId,
    method: method === 'HEAD' ? 'GET' : method,
    path: maskTokens(pathname).slice(0, 500),
    remoteAddress: address,
    userAgent: userAgentOf(request),
  };
}

/** Meta function calls come as query values, or as an array beside the fields of a body. */
function metaCalls(query: Record<string, unknown>, body: unknown, faults: Fault[]): string[] {
  const inQuery = (query['meta'] ?? []) as string[];
  const field =
    body !== null && typeof body === 'object' && !Array.isArray(body)
      ? (body as { meta?: unknown }).meta
      : undefined;
  if (field === undefined || field === null) return inQuery;
  if (
    Array.isArray(field) &&
    field.length <= mostMeta &&
    field.every((one) => typeof one === 'string')
  )
    return [...inQuery, ...field];
  faults.push({
    location: 'body',
    pointer: '/meta',
    message: `must be an array of at most ${mostMeta} meta function calls`,
    remediation: 'Write "meta": ["stats/count"].',
  });
  return inQuery;
}

function idempotencyKey(value: string | string[] | undefined): { idempotencyKey?: string } {
  if (value === undefined) return {};
  if (typeof value === 'string' && value.length > 0 && value.length <= 255)
    return { idempotencyKey: value };
  throw badRequest({
    location: 'header',
    pointer: 'Idempotency-Key',
    message: 'must be one text of 1 to 255 characters',
    remediation: 'Send a UUID.',
  });
}

function headerValue(name: string, value: string | string[] | undefined): Record<string, string> {
  return typeof value === 'string' ? { [name]: value } : {};
}

function lengthOf({ headers }: IncomingMessage): { contentLength?: number } {
  const length = headers['content-length'];
  return length === undefined ? {} : { contentLength: Number(length) };
}

/** What was not read of the body would be taken for the next request. Who goes on sending it long after the answer is cut off. */
function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), drainMs).unref();
  request.once('close', () => clearTimeout(timer));
  request.unpipe().resume();
}

function document(operation: Operation, serverUrl: string): BusReply {
  const side = operation.id === 'meta_management_openapi_spec' ? 'management' : 'connector';
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(servedDocument(side, serverUrl)),
  };
}

/** Operations that the gateway answers itself. */
export const answeredHere = [...operations.values()]
  .filter(({ group }) => group === 'meta')
  .map(({ id }) => id);
