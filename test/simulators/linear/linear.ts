import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  parse,
  validate,
} from 'graphql';
import {
  type Allowance,
  type Answer,
  Disallowed,
  type Exchange,
  type PlainRequest,
  Refusal,
  type SimulatorOptions,
  type Vendor,
} from '#test/simulators';
import { complexityOf, maxComplexity } from './complexity.js';
import { type Code, errorBody } from './errors.js';
import { rootOf } from './root.js';
import { seed, type User, Workspace } from './workspace.js';

const schema = buildSchema(
  readFileSync(new URL('./description/schema.graphql', import.meta.url), 'utf8'),
);

/** GraphQL over HTTP; the schema validates queries. */
const document = {
  openapi: '3.0.3',
  paths: {
    '/graphql': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: false,
                required: ['query'],
                properties: {
                  query: { type: 'string' },
                  variables: { type: 'object', nullable: true },
                  operationName: { type: 'string', nullable: true },
                },
              },
            },
          },
        },
        responses: { '200': { content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  },
};

/** Linear with a small workspace. The users of `workspace.ts` may call it with their tokens. */
export const linear: SimulatorOptions = {
  name: 'linear',
  description: { document },
  create: createLinear,
};

function createLinear(): Vendor<User> {
  const workspace = new Workspace();
  seed(workspace, 12);
  const authenticate = (headers: Record<string, string>) => authenticated(workspace, headers);
  return {
    routes: { 'POST /graphql': (exchange) => answer(workspace, exchange) },
    seed: (count) => seed(workspace, count),
    authenticate,
    elsewhere: (request) => store(workspace, request, authenticate),
    limited: (allowance) => ({
      status: 400,
      headers: rateHeaders({ ...allowance, remaining: 0 }),
      body: errorBody('RATELIMITED', 'Rate limit exceeded'),
    }),
    headers: rateHeaders,
    malformed: () => ({
      status: 400,
      body: errorBody('INPUT_ERROR', 'POST body is invalid JSON.'),
    }),
    failure: (status) => ({
      status,
      body: errorBody(codes[status] ?? 'INTERNAL_SERVER_ERROR', `Failed with ${status}`),
    }),
  };
}

const codes: Record<number, Code> = {
  400: 'INPUT_ERROR',
  401: 'AUTHENTICATION_ERROR',
  403: 'FORBIDDEN',
};

function answer(workspace: Workspace, { body, origin, user }: Exchange<User>): Answer {
  const { query, variables, operationName } = body as {
    query: string;
    variables?: Record<string, unknown> | null;
    operationName?: string | null;
  };
  const parsed = parsedQuery(query);
  const faults = validate(schema, parsed);
  if (faults.length > 0) throw new Disallowed(faults.map(({ message }) => message));
  const complexity = complexityOf(parsed, variables ?? {});
  const headers = { 'x-complexity': String(complexity) };
  if (complexity > maxComplexity)
    throw new Refusal({
      status: 400,
      headers,
      body: errorBody('INPUT_ERROR', 'Query too complex'),
    });
  const result = execute({
    schema,
    document: parsed,
    rootValue: rootOf(workspace, origin, user),
    variableValues: variables ?? null,
    operationName: operationName ?? null,
  }) as ExecutionResult; // Nothing in it is asynchronous.
  // Without data nothing was run: the variables are not what the query declares.
  if (!('data' in result))
    throw new Disallowed((result.errors ?? []).map(({ message }) => message));
  const own = (result.errors ?? []).filter(({ extensions }) => extensions['code'] === undefined);
  if (own.length > 0)
    throw new Disallowed(
      own.map(({ message }) => message),
      'answer',
    );
  return { status: 200, headers, body: result };
}

function parsedQuery(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: 5_000 });
  } catch (error) {
    if (error instanceof GraphQLError) throw new Disallowed([error.message]);
    throw error;
  }
}

/** An API key is the whole header: `Bearer` is for OAuth tokens, which act here for the user whose key they end with. */
function authenticated(workspace: Workspace, { authorization = '' }: Record<string, string>): User {
  const key = authorization.replace(/^Bearer lin_oauth_/, '');
  const user = workspace.users.find(({ token }) => token === key);
  if (user !== undefined) return user;
  const message = /^Bearer /i.test(authorization)
    ? "It looks like you're trying to use an API key as a Bearer token. Remove the Bearer prefix from the Authorization header."
    : 'Authentication required, not authenticated';
  throw new Refusal({ status: 401, body: errorBody('AUTHENTICATION_ERROR', message) });
}

/** Addresses of files: uploads by a signed address without a token, downloads with one. */
function store(
  { files }: Workspace,
  { method, url, headers, bytes }: PlainRequest,
  authenticate: (headers: Record<string, string>) => User,
): Answer | undefined {
  const [, kind, id = ''] = /^\/storage\/(upload|asset)\/([^/]+)/.exec(url.pathname) ?? [];
  if (kind === undefined) return undefined;
  const file = files.get(id);
  if (file === undefined) return { status: 404 };
  if (kind === 'upload' && method === 'PUT') {
    if (url.searchParams.get('signature') !== 'simulated' || headers['authorization'] !== undefined)
      return { status: 403 };
    if (bytes.length !== file.size || headers['content-type'] !== file.type) return { status: 400 };
    file.content = bytes;
    return { status: 200 };
  }
  if (kind !== 'asset' || method !== 'GET' || file.content === null) return { status: 404 };
  try {
    authenticate(headers);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
  return { status: 200, headers: { 'content-type': file.type }, body: file.content };
}

function rateHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-requests-limit': String(limit),
    'x-ratelimit-requests-remaining': String(Math.max(0, remaining)),
    'x-ratelimit-requests-reset': String(resetsAt),
  };
}
