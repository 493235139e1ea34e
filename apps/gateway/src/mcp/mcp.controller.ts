import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Logger, Req, Res } from '@nestjs/common';
import { version } from '#config/runtime';
import { ApiError, badRequest, type Caller } from '#contract';
import { Metrics } from '#observe';
import { Authenticator } from '../authenticate.js';
import { BodyBudget } from '../body-budget.js';
import { ClientAddresses } from '../client-address.js';
import { allowOrigin, answerOptions } from '../cross-origin.js';
import { type Exchange, originOf } from '../exchange.js';
import { GatewaySettings } from '../gateway-settings.js';
import { GatewayTrail } from '../gateway-trail.js';
import { OperationServer } from '../operation-server.js';
import { readBody } from '../read-body.js';
import { publicUrl } from '../served-here.js';
import { asApiError, writeProblem } from '../write-answer.js';
import type { Arguments } from './operation-exchange.js';
import { McpTools } from './mcp-tools.js';

const log = new Logger('gateway');

/** A message is one call; its arguments are held against the limits of the operation again. */
export const messageLimits = { maxBytes: 1_048_576, maxValues: 20_000, maxDepth: 66 };

const instructions = `Onefold calls the systems of customers (tickets, identities, endpoints, vulnerabilities, alerts, storage and others) in one normalized API.
Tools of a domain take integration_id where an account has several systems. Lists return a page and a cursor; name fields to keep answers small.
An error says what to do next. Secrets are never needed: connect_create_session makes a link at which a person connects a system.`;

/**
 * Serves the Model Context Protocol at `/mcp` for tokens of `POST /v1/tokens/mcp`: streamable HTTP without sessions, so that each replica answers
 * each request (https://modelcontextprotocol.io/specification).
 */
@Controller()
export class McpController {
  constructor(
    private readonly server: OperationServer,
    private readonly authenticator: Authenticator,
    private readonly settings: GatewaySettings,
    private readonly addresses: ClientAddresses,
    private readonly bodies: BodyBudget,
    private readonly metrics: Metrics,
    private readonly trail: GatewayTrail,
  ) {}

  @All('mcp')
  async handle(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const exchange = this.exchangeOf(request, response);
    const finished = this.metrics.request('mcp');
    try {
      if (allowOrigin(this.settings.corsOrigins, request, response) && request.method === 'OPTIONS')
        return answerOptions(request, response, 'POST, OPTIONS');
      this.refuseOtherOrigins(request);
      refuseOtherMethods(request);
      const caller = await this.authenticator.authenticateMcp(exchange);
      exchange.lease = this.bodies.open(exchange.address, false);
      const body = await readBody(
        request,
        { bodyRequired: true, tokenInQuery: false, limits: messageLimits },
        this.settings.maxBodyBytes,
        exchange.lease,
      );
      if (Array.isArray(body?.value)) throw isBatch();
      await this.answer(exchange, caller, body?.value);
    } catch (error) {
      const failure = asApiError(error);
      await this.record(exchange, failure);
      writeProblem(response, failure, exchange.requestId, false, exchange.headers);
    } finally {
      exchange.lease?.release();
      finished(response.statusCode);
    }
  }

  /** Records a refused token, and logs what went wrong here: no operation has done so. */
  private async record(exchange: Exchange, { status, message, cause }: ApiError): Promise<void> {
    const { whose, requestId } = exchange;
    if (status === 500) log.error({ message: 'MCP', request_id: requestId, error: cause });
    if (whose)
      await this.trail.note({ side: 'connector' }, whose, originOf(exchange), status, message);
  }

  private exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
    const requestId = randomUUID();
    return {
      request,
      response,
      pathname: '/mcp',
      search: '',
      requestId,
      address: this.addresses.of(request),
      method: request.method ?? 'POST',
      headers: { 'x-request-id': requestId, 'cache-control': 'no-store' },
    };
  }

  /** A page of a stranger that reaches this address by a name of its own may not speak for its visitor. @throws ApiError 403 */
  private refuseOtherOrigins({ headers: { origin, host } }: IncomingMessage): void {
    if (origin === undefined || this.settings.corsOrigins.includes(origin)) return;
    const own = publicUrl(this.settings) ?? `http://${host ?? ''}`;
    if (URL.canParse(own) && new URL(own).origin === origin) return;
    throw new ApiError(403, 'pages of this origin may not use the MCP endpoint', {
      remediation: 'The operator can add the origin to CORS_ORIGINS.',
    });
  }

  /** The SDK is loaded at the first request: installations without assistants need neither its time nor its memory. */
  private async answer(exchange: Exchange, caller: Caller, message: unknown): Promise<void> {
    const [{ Server }, { StreamableHTTPServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    const tools = new McpTools(this.server, exchange, caller);
    const server = new Server(
      { name: 'onefold', title: 'Onefold', version },
      { capabilities: { tools: {} }, instructions },
    );
    server.setRequestHandler(types.ListToolsRequestSchema, async () => ({
      tools: await tools.list(),
    }));
    server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
      const given: Arguments = params.arguments ?? {};
      return await tools.call(params.name, given);
    });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      await transport.handleRequest(exchange.request, exchange.response, message);
    } finally {
      await server.close();
    }
  }
}

/** @throws ApiError 405 */
function refuseOtherMethods({ method }: IncomingMessage): void {
  if (method === 'POST') return;
  throw new ApiError(405, `the MCP endpoint does not have the method ${method ?? ''}`, {
    remediation: 'Use POST. There are no sessions to end, and no messages that it sends by itself.',
    headers: { allow: 'POST, OPTIONS' },
  });
}

function isBatch(): ApiError {
  return badRequest({
    location: 'body',
    pointer: '',
    message: 'is a batch of messages',
    remediation: 'Send one message in each request, as the protocol has it since 2025-06-18.',
  });
}
