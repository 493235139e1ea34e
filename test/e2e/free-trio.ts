import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operations, type Problem, type QueryParameter } from '#contract';
import { bodySchema } from '../bodies/schemas.js';
import { shareOf } from '#test/harness';
import { type Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';

const served = [...operations.values()].filter(({ state }) => state === 'served');
const guarded = served.filter((operation) => !operation.public);

/** The forms of the service, each of which tests every second operation in `npm test`: the gateway is the same program in both. */
const forms = ['embedded', 'distributed'];

/** Tests the operations with no token, with a token of another scope, and with invalid input. */
export function freeTrio(form: string, onefold: () => Onefold): void {
  let organization: Client;
  let integration: Client;
  let mcp: Client;
  const rightToken = ({ side }: Operation) => (side === 'management' ? organization : integration);
  const wrongToken = ({ side }: Operation) => (side === 'management' ? integration : organization);

  beforeAll(async () => {
    organization = onefold().api;
    integration = organization.as((await createMockIntegration(organization, 'free-trio')).token);
    const { result } = await organization.call('tokens_create_mcp_token', {
      body: { scope: { type: 'management' } },
    });
    mcp = organization.as(result.secret);
  });

  const share = shareOf(guarded, forms.length, forms.indexOf(form));
  describe.each(share.map((operation) => [operation.id, operation] as const))(
    '%s',
    (id, operation) => {
      it('answers 401 without a token', async () => {
        const problem = await send(organization.as(undefined), operation, {}, 401);
        expect(problem).toMatchObject({ status: 401, type: 'urn:onefold:problem:unauthorized' });
      });

      if (operation.anyToken)
        it('answers a token of the other scope too', async () => {
          await send(wrongToken(operation), operation, {}, 200);
        });
      else
        it('answers 403 to a token of the other scope', async () => {
          const problem = await send(wrongToken(operation), operation, {}, 403);
          expect(problem).toMatchObject({ status: 403, type: 'urn:onefold:problem:forbidden' });
        });

      it('answers 403 to a token of the MCP endpoint', async () => {
        const problem = await send(mcp, operation, {}, 403);
        expect(problem.message).toContain('is an MCP token');
      });

      const bad = badInput(operation);
      if (bad !== undefined)
        it(`answers 400 to ${bad.what} and names the place`, async () => {
          const problem = await send(rightToken(operation), operation, bad, 400);
          expect(problem.context?.parameter?.location).toBe(bad.location);
          expect(problem.cause?.length).toBeGreaterThan(0);
          expect(id).toBe(operation.id);
        });
    },
  );

  it('has invalid input for every operation that takes input', () => {
    const without = guarded.filter((operation) => badInput(operation) === undefined);
    for (const operation of without) {
      const { id, path } = operation;
      const request = takesAnyBody(operation) ? 'none' : operation.request;
      const { token, meta, ...query } = operation.query;
      expect([token, meta].some(Boolean)).toBe(operation.tokenInQuery);
      expect({ id, request, query }).toEqual({ id, request: 'none', query: {} });
      expect(path).toMatch(/^[^{]*(\{\w+\}[^{]*)*$/);
    }
  });
}

interface Input {
  search?: string;
  body?: string;
}

interface BadInput extends Input {
  what: string;
  location: 'query' | 'body';
}

/** True if the contract accepts any JSON, so that only the provider's document can refuse a body. */
function takesAnyBody(operation: Operation): boolean {
  return operation.request === 'json' && Object.keys(bodySchema(operation) ?? {}).length === 0;
}

/**
 * Returns input that the contract refuses; undefined for an operation without input other than its path, or with any
 * body.
 */
function badInput(operation: Operation): BadInput | undefined {
  const { request, query, meta } = operation;
  if (request === 'json' && !takesAnyBody(operation))
    return { what: 'a body of the wrong type', location: 'body', body: '"text"' };
  const body = request === 'json' ? { body: '{}' } : {};
  for (const [name, parameter] of Object.entries(query)) {
    const value = wrongValue(parameter);
    if (value === undefined) continue;
    const what = `${name}=${value}`;
    return { what, location: 'query', search: `?${what}`, ...body };
  }
  // The response to a message of a provider has no body, so meta functions have no effect on it.
  if (meta && !operation.tokenInQuery)
    return { what: 'a broken meta function', location: 'query', search: '?meta=stats%2Fcount(%5B' };
  return undefined;
}

function wrongValue({ type, values }: QueryParameter): string | undefined {
  if (type === 'integer') return 'many';
  if (type === 'boolean') return 'perhaps';
  return values === undefined ? undefined : 'nonsense';
}

async function send(
  client: Client,
  operation: Operation,
  input: Input,
  status: number,
): Promise<Problem> {
  const path = operation.path.replaceAll(/\{\w+\}/g, 'nothing-of-this-name');
  const search = new URLSearchParams(input.search);
  const { authorization } = client.headers;
  if (operation.tokenInQuery && authorization !== undefined)
    search.set('token', authorization.slice('Bearer '.length));
  const answer = await client.fetch<Problem>(
    operation.id,
    `${client.url}${path}?${search.toString()}`,
    {
      method: operation.method,
      ...(input.body === undefined
        ? {}
        : { body: input.body, headers: { 'content-type': 'application/json' } }),
    },
  );
  if (answer.status !== status)
    throw new Error(
      `${operation.id}: expected ${status}, got ${answer.status}: ${answer.text.slice(0, 1000)}`,
    );
  return answer.body;
}
