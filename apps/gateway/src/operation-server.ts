import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Bus, type BusReply, logIds, logOwner, traceIdOf } from '#bus';
import {
  ApiError,
  badRequest,
  budgetMs,
  type Caller,
  type Match,
  matchRoute,
  notImplemented,
  type Operation,
} from '#contract';
import { inSpan, logAccess, Metrics, type Span } from '#observe';
import { Authenticator } from './authenticate.js';
import { BodyBudget } from './body-budget.js';
import { BusiestOrganizations } from './busiest-organizations.js';
import { ClientAddresses } from './client-address.js';
import { allowOrigin, answerOptions } from './cross-origin.js';
import { drainBody } from './drain-body.js';
import { type Exchange, originOf, traceparentOf } from './exchange.js';
import { forward } from './forward.js';
import { GatewaySettings } from './gateway-settings.js';
import { GatewayTrail } from './gateway-trail.js';
import { PathAliases } from './path-aliases.js';
import { readRequest } from './read-request.js';
import { RateLimits } from './rate-limits.js';
import { refuseTokens } from './refuse-tokens.js';
import { serveDocument } from './served-here.js';
import { asApiError, writeProblem, writeReply } from './write-answer.js';

const log = new Logger('gateway');
const requestIdForm = /^[\w.:-]{1,128}$/;
/** Status in logs and metrics when the client disconnected before the response; the number is that of nginx. */
const clientClosed = 499;

/** Serves the paths of the contract before Express: match, authenticate, validate, forward, return the bytes. */
@Injectable()
export class OperationServer {
  private draining = false;

  constructor(
    private readonly bus: Bus,
    private readonly authenticator: Authenticator,
    private readonly settings: GatewaySettings,
    private readonly metrics: Metrics,
    private readonly trail: GatewayTrail,
    private readonly bodies: BodyBudget,
    private readonly addresses: ClientAddresses,
    private readonly limits: RateLimits,
    private readonly aliases: PathAliases,
    private readonly organizations: BusiestOrganizations,
  ) {}

  /** Makes every response close its connection from now on, so that clients reconnect elsewhere. */
  drain(): void {
    this.draining = true;
  }

  /** @returns false if the path is not in the contract */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = request.url ?? '/';
    const cut = url.indexOf('?');
    const method = request.method ?? 'GET';
    const pathname = this.aliases.resolve(method, cut < 0 ? url : url.slice(0, cut));
    if (pathname !== '/v1' && !pathname.startsWith('/v1/')) return false;
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID();
    const exchange: Exchange = {
      request,
      response,
      pathname,
      search: cut < 0 ? '' : url.slice(cut + 1),
      requestId,
      address: this.addresses.of(request),
      method,
      headers: {
        'x-request-id': requestId,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
    };
    if (this.draining) exchange.headers.connection = 'close';
    allowOrigin(this.settings.corsOrigins, request, response);
    void this.serve(exchange);
    return true;
  }

  private serve(exchange: Exchange): Promise<void> {
    const { request, method, pathname } = exchange;
    const match = matchRoute(method === 'HEAD' ? 'GET' : method, pathname);
    const operation = match && 'operation' in match ? match.operation : undefined;
    const facts = () => ({ 'http.request.method': method });
    const options = { kind: 'server', facts, parent: traceparentOf(request) } as const;
    return inSpan(operation?.id ?? 'unknown', options, (span) =>
      this.serveMatched(exchange, match, operation, span),
    );
  }

  private async serveMatched(
    exchange: Exchange,
    match: Match,
    operation: Operation | undefined,
    span: Span,
  ): Promise<void> {
    const { request, response, requestId, method, pathname, headers } = exchange;
    const isHead = method === 'HEAD';
    const finished = this.begin(exchange, operation);
    let failure: ApiError | undefined;
    try {
      const found = matched(match, pathname);
      if ('allow' in found) return answerOtherMethod(exchange, found.allow);
      const reply = await this.answer(exchange, found.operation, found.path);
      await this.recordReply(exchange, found.operation, reply.status);
      await writeReply(response, reply, isHead, headers);
    } catch (error) {
      failure = asApiError(error);
      if (operation) await this.recordFailure(exchange, operation, failure);
      if (!response.destroyed) writeProblem(response, failure, requestId, isHead, headers);
    } finally {
      exchange.lease?.release();
      drainBody(request);
      const isGone = response.destroyed && !response.headersSent;
      const status = isGone ? clientClosed : response.statusCode;
      finished(status, failure);
      span.set({ 'http.response.status_code': status });
      if (status >= 500) span.fail();
    }
  }

  /**
   * Performs an operation for a caller that is known already, as a request to its path would: the same limits, checks, records and metrics.
   * @throws ApiError
   */
  async perform(
    exchange: Exchange,
    operation: Operation,
    path: Record<string, string>,
    caller: Caller,
  ): Promise<BusReply> {
    const finished = this.begin(exchange, operation);
    try {
      const reply = await this.forwardFor(caller, exchange, operation, path);
      await this.recordReply(exchange, operation, reply.status);
      finished(reply.status);
      return reply;
    } catch (error) {
      const failure = asApiError(error);
      await this.recordFailure(exchange, operation, failure);
      finished(failure.status, failure);
      throw failure;
    } finally {
      exchange.lease?.release();
    }
  }

  /** Begins to measure a request. @returns what counts and logs its end */
  private begin(
    exchange: Exchange,
    operation: Operation | undefined,
  ): (status: number, failure?: ApiError) => void {
    const { request, requestId, method } = exchange;
    const started = performance.now();
    const finished = this.metrics.request(operation?.id ?? 'unknown');
    return (status, failure) => {
      finished(status);
      const ms = performance.now() - started;
      this.organizations.count(exchange.whose?.organizationId, status, ms / 1_000);
      logAccess(
        {
          requestId,
          traceId: traceIdOf(traceparentOf(request)),
          owner: exchange.whose,
          operation: operation?.id ?? 'unknown',
          status,
        },
        started,
      );
      const isFailed = status >= 500 && status !== 501;
      if (isFailed || Logger.isLevelEnabled('debug')) {
        const line = {
          message: 'request',
          ...logIds({ requestId, traceparent: traceparentOf(request) }),
          ...logOwner(exchange.whose),
          operation: operation?.id,
          method,
          status,
          ms: Math.round(ms),
        };
        // The service that failed has logged the cause; only a fault of the gateway itself has one here.
        if (failure?.status === 500) log.error({ ...line, error: failure.cause });
        else if (isFailed) log.warn({ ...line, error: failure?.message });
        else log.debug(line);
      }
    };
  }

  private async recordReply(
    exchange: Exchange,
    operation: Operation,
    status: number,
  ): Promise<void> {
    if (!exchange.forwarded) await this.record(exchange, operation, status);
    else this.recordChange(exchange, operation, status);
  }

  private async recordFailure(
    exchange: Exchange,
    operation: Operation,
    { status, message }: ApiError,
  ): Promise<void> {
    await this.record(exchange, operation, status, message);
    if (exchange.forwarded) this.recordChange(exchange, operation, status);
  }

  /** Records a request that ends at the gateway, because no service does. */
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

  /** Records a call that a connector may have changed something with; management records its calls itself. */
  private recordChange(exchange: Exchange, { side, method }: Operation, status: number): void {
    if (side === 'connector' && method !== 'GET' && !exchange.isDryRun && exchange.whose)
      this.trail.noteChange(exchange.whose, originOf(exchange), status);
  }

  private async answer(
    exchange: Exchange,
    operation: Operation,
    path: Record<string, string>,
  ): Promise<BusReply> {
    const caller = await this.authenticator.authenticate(exchange, operation);
    const reply = await this.forwardFor(caller, exchange, operation, path);
    this.authenticator.refusedBy(operation, reply.status, exchange.address);
    return reply;
  }

  private async forwardFor(
    caller: Caller | null,
    exchange: Exchange,
    operation: Operation,
    path: Record<string, string>,
  ): Promise<BusReply> {
    const { request, address } = exchange;
    refuseTokens(operation, path, exchange.search);
    if (operation.group === 'hooks') this.limits.takeHook(caller?.tokenId ?? exchange.pathname);
    else if (caller === null) this.limits.takeAnonymous(address);
    if (operation.state === 'planned')
      throw notImplemented(
        `${operation.id} is not served by this version`,
        'The x-state of each operation in the OpenAPI documents says which operations are.',
      );
    const { maxBodyBytes, maxUploadBytes } = this.settings;
    const parts = await readRequest(exchange, operation, path, this.bodies, maxBodyBytes);
    exchange.isDryRun = operation.dryRun && parts.query['dry_run'] === true;
    if (operation.group === 'meta') return serveDocument(operation, request, this.settings);
    return await forward(
      this.bus,
      exchange,
      operation,
      { parts, caller, path, deadline: Date.now() + budgetMs(operation) },
      maxUploadBytes,
    );
  }
}

/** @throws ApiError 400 or 404 */
function matched(match: Match, pathname: string) {
  if (match === undefined)
    throw new ApiError(404, `there is no path ${pathname.slice(0, 200)}`, {
      remediation:
        'The OpenAPI documents at /v1/meta/openapi/management and /v1/meta/openapi/engine list the paths.',
    });
  if ('malformed' in match)
    throw badRequest({
      location: 'path',
      pointer: match.malformed,
      message: 'is not percent-encoded UTF-8',
      remediation: 'Percent-encode it, such as with encodeURIComponent.',
    });
  return match;
}

function answerOtherMethod(
  { request, response, method, headers }: Exchange,
  allowed: readonly string[],
): void {
  const all = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const allow = all.join(', ');
  if (method !== 'OPTIONS')
    throw new ApiError(405, `the path does not have the method ${method}`, {
      remediation: `Use ${allow}.`,
      headers: { allow },
    });
  answerOptions(request, response, allow, headers);
}
