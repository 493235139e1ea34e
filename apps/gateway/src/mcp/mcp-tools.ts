import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { Logger } from '@nestjs/common';
import type { BusReply } from '#bus';
import {
  ApiError,
  atMcpEndpoint,
  badRequest,
  type Caller,
  decide,
  forbidden,
  mcpUse,
  type McpUse,
  type Operation,
  operations,
} from '#contract';
import type { Exchange } from '../exchange.js';
import type { OperationServer } from '../operation-server.js';
import { asApiError } from '../write-answer.js';
import { AccountIntegrations, type UsedIntegration } from './account-integrations.js';
import { fitAnswer } from './fit-answer.js';
import { type Arguments, operationExchange } from './operation-exchange.js';
import { readAnswer, readBytesOf } from './read-answer.js';
import { allTools, ownArguments } from './tools.js';

const log = new Logger('gateway');
/** A file that a tool returns; a larger one is for programs. */
export const maxFileBytes = 1_048_576;

/** The tools of one token: the operations that it may call. Every call is performed as a request to the operation's path would be. */
export class McpTools {
  /** As whom operations of the management API are called. */
  private readonly manager: Caller;
  private readonly use: McpUse | undefined;
  private readonly integrations: AccountIntegrations | undefined;

  constructor(
    private readonly server: OperationServer,
    private readonly exchange: Exchange,
    caller: Caller,
  ) {
    this.manager = atMcpEndpoint(caller);
    this.use = mcpUse(caller);
    if (this.use !== undefined)
      this.integrations = new AccountIntegrations(server, exchange, this.manager, this.use);
  }

  /** Returns the tools: of the connector API those that an integration of the account serves, which are offered by name. @throws ApiError */
  async list(): Promise<Tool[]> {
    const all = [...allTools().values()];
    const managing = all
      .filter(({ name }) => this.manages(operationNamed(name)))
      .map((tool) => (this.account ? withoutRequired(tool, 'accountId') : tool));
    return [...managing, ...(await this.usingTools(all))];
  }

  /** Calls a tool. What fails is in the result, for the model to read. */
  async call(name: string, given: Arguments): Promise<CallToolResult> {
    const requestId = { request_id: this.exchange.requestId };
    try {
      const tool = allTools().get(name);
      const operation = tool && operationNamed(name);
      if (!operation || !this.permits(operation)) throw unknownTool(name);
      refuseUnknown(tool, given, operation);
      const caller = this.manages(operation)
        ? this.manager
        : await this.userOf(operation, given[ownArguments.integration]);
      const { exchange, path } = await operationExchange(
        this.exchange,
        operation,
        this.filled(operation, given),
      );
      requestId.request_id = exchange.requestId;
      const reply = await this.server.perform(exchange, operation, path, caller);
      return { ...(await resultOf(reply, operation, given)), _meta: requestId };
    } catch (error) {
      if (!(error instanceof ApiError))
        log.error({ message: 'tool', ...requestId, operation: name.slice(0, 200), error });
      const problem = asApiError(error).toProblem(`/requests/${requestId.request_id}`, new Date());
      return { ...textResult(JSON.stringify(problem), true), _meta: requestId };
    }
  }

  private async usingTools(all: readonly Tool[]): Promise<Tool[]> {
    const using = all.filter(({ name }) => this.uses(operationNamed(name)));
    const integrations = (await this.integrations?.list()) ?? [];
    if (using.length === 0 || integrations.length === 0) return [];
    const served = await this.servedBy(integrations);
    return using.flatMap((tool) => {
      const fitting = integrations.filter((one) => served.get(one.provider_type)?.has(tool.name));
      return fitting.length === 0 ? [] : [withChoice(tool, fitting)];
    });
  }

  private async servedBy(
    integrations: readonly UsedIntegration[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const types = [...new Set(integrations.map((one) => one.provider_type))];
    const found = types.map(async (type) => {
      const served = await this.integrations?.served(type);
      return [type, served ?? new Set<string>()] as const;
    });
    return new Map(await Promise.all(found));
  }

  private permits(operation: Operation): boolean {
    return this.manages(operation) || this.uses(operation);
  }

  private manages(operation: Operation): boolean {
    return operation.side === 'management' && decide(this.manager, operation).allowed;
  }

  private uses({ side, id }: Operation): boolean {
    if (side === 'management' || this.use === undefined) return false;
    return this.use.operations === null || this.use.operations.has(id);
  }

  /** Returns the caller of an operation of an integration. @throws ApiError */
  private async userOf({ group, id }: Operation, integration: unknown): Promise<Caller> {
    if (this.integrations === undefined) throw unknownTool(id);
    const chosen = await this.integrations.choose(integration, group);
    const { tokenId, organizationId, memberId, permissions } = this.manager;
    return {
      tokenId,
      organizationId,
      memberId,
      scope: 'integration',
      accountId: this.use?.accountId ?? '',
      integrationId: chosen.id,
      category: chosen.category,
      permissions,
    };
  }

  private get account(): string | null | undefined {
    const { mcp } = this.manager;
    return mcp?.account_id;
  }

  /** The account of the token goes without saying. */
  private filled(operation: Operation, given: Arguments): Arguments {
    if (!this.account || !operation.path.includes('{accountId}')) return given;
    return { accountId: this.account, ...given };
  }
}

function operationNamed(name: string): Operation {
  return operations.get(name as Operation['id']) as Operation; // tools are made of operations
}

function unknownTool(name: string): Error {
  return forbidden(
    `there is no tool ${name.slice(0, 200)}, or the token does not permit it`,
    'Use one of tools/list; POST /v1/tokens/mcp makes tokens for other operations.',
  );
}

/** A model that misspells an argument would otherwise believe that it was heeded. @throws ApiError 400 */
function refuseUnknown({ inputSchema }: Tool, given: Arguments, { side }: Operation): void {
  const own = Object.keys(inputSchema.properties ?? {});
  const known = side === 'connector' ? [...own, ownArguments.integration] : own;
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw badRequest({
      location: 'body',
      pointer: `/${unknown.slice(0, 200)}`,
      message: 'is not an argument of the tool',
      remediation: `Use those of ${known.join(', ')}.`,
    });
  const fields = given[ownArguments.fields];
  const isList = Array.isArray(fields) && fields.every((one) => typeof one === 'string');
  if (fields !== undefined && !isList)
    throw badRequest({
      location: 'body',
      pointer: `/${ownArguments.fields}`,
      message: 'must be a list of texts',
      remediation: 'Write ["id", "device.hostname"].',
    });
}

function withoutRequired(tool: Tool, name: string): Tool {
  const required = tool.inputSchema.required?.filter((one) => one !== name) ?? [];
  return { ...tool, inputSchema: { ...tool.inputSchema, required } };
}

function withChoice(tool: Tool, fitting: readonly UsedIntegration[]): Tool {
  const words = fitting.map(
    (one) => `${one.id}: ${one.fullname || one.name} (${one.provider_fullname})`,
  );
  const choice = {
    type: 'string',
    enum: fitting.map(({ id }) => id),
    description: `Whose system is called. ${words.join('; ')}`,
  };
  const { inputSchema } = tool;
  const isNeeded = fitting.length > 1;
  return {
    ...tool,
    inputSchema: {
      ...inputSchema,
      properties: { [ownArguments.integration]: choice, ...inputSchema.properties },
      required: [...(isNeeded ? [ownArguments.integration] : []), ...(inputSchema.required ?? [])],
    },
  };
}

async function resultOf(
  reply: BusReply,
  operation: Operation,
  given: Arguments,
): Promise<CallToolResult> {
  const isFailed = reply.status >= 400;
  if (operation.response.kind === 'binary' && !isFailed) return await fileResult(reply);
  const answer = await readAnswer(reply);
  if (isFailed) return textResult(JSON.stringify(answer), true);
  if (answer === undefined) return textResult(JSON.stringify({ status: reply.status }));
  const { text, isError } = fitAnswer(
    answer,
    operation,
    given[ownArguments.fields] as readonly string[] | undefined,
  );
  return textResult(text, isError);
}

async function fileResult(reply: BusReply): Promise<CallToolResult> {
  const bytes = await readBytesOf(reply, maxFileBytes);
  const mimeType =
    (reply.headers['content-type'] ?? 'application/octet-stream').split(';')[0] ?? '';
  if (/^text\/|json$|xml$|yaml$/.test(mimeType)) return textResult(bytes.toString());
  const blob = bytes.toString('base64');
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', mimeType, data: blob }] };
  return { content: [{ type: 'resource', resource: { uri: 'file:///download', mimeType, blob } }] };
}

function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}
