import { describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { readFunctions } from '#provider-document';
import { type Json, OverFake } from '#test/harness';

interface List {
  type: string;
  folder: string;
  config?: Json;
  principal?: string;
  limit?: number;
  id: OperationId;
  path?: (provider: OverFake) => Promise<Record<string, string>>;
  /** The requests of the parts, of which the vendor refuses one. */
  part: RegExp;
  status: number;
  body: object;
  /** The kind of problem that names the part. */
  instance: 'item-left-out' | 'part-left-out';
  /** True if the row has what the list knows without the part. */
  isKept?: true;
}

const oauth = ({ client }: { client?: { id?: string; secret?: string } }) => ({
  type: 'o_auth_client',
  client_id: client?.id,
  client_secret: client?.secret,
});
const token = ({ secret }: { secret?: string }) => ({ type: 'token', secret });
const tenant = { tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3' };
const graphError = (code: string) => ({ error: { code, message: 'no' } });

const lists: List[] = [
  {
    type: 'chat_slack',
    folder: 'slack',
    id: 'chat_query_conversation_members',
    principal: 'bot',
    limit: 10,
    path: async (slack) => {
      const [found] = await slack.all('chat_query_conversations');
      return { conversationId: found?.['conversation'].uid as string };
    },
    part: /users\.info\?/,
    status: 200,
    body: { ok: false, error: 'user_not_found' },
    instance: 'item-left-out',
    isKept: true,
  },
  {
    type: 'identity_okta',
    folder: 'okta',
    id: 'identity_query_risky_users',
    config: { url: 'https://alderpoint.okta.example' },
    part: /\/users\/[^/]+\/risk$/,
    status: 404,
    body: { errorCode: 'E0000007', errorSummary: 'Not found' },
    instance: 'item-left-out',
  },
  {
    type: 'identity_github',
    folder: 'github-code',
    id: 'identity_query_users',
    config: { organization_slug: 'alderpoint' },
    part: /\.com\/users\/[^/]+$/,
    status: 404,
    body: { message: 'Not Found' },
    instance: 'item-left-out',
    isKept: true,
  },
  {
    type: 'endpointmanagement_intune',
    folder: 'microsoft-graph',
    config: tenant,
    id: 'endpointmanagement_query_compliance_findings',
    part: /\/deviceCompliancePolicyStates/,
    status: 404,
    body: graphError('ResourceNotFound'),
    instance: 'item-left-out',
  },
  {
    type: 'identity_entra_id',
    folder: 'microsoft-graph',
    config: tenant,
    id: 'identity_query_audit_log',
    part: /\/auditLogs\/signIns/,
    status: 403,
    body: graphError('Authentication_RequestFromNonPremiumTenantOrB2CTenant'),
    instance: 'part-left-out',
  },
];

/** Reads a list whose provider refuses one of the parts. */
async function read(list: List, refuses: boolean) {
  let refused: string | undefined;
  const folder = new URL(`../${list.folder}/`, import.meta.url);
  const provider = new OverFake(folder, list.type, {
    config: list.config ?? {},
    functions: await readFunctions(folder),
    ...(list.principal && { principal: list.principal }),
    credential: list.folder === 'microsoft-graph' ? oauth : token,
    before: ({ url }) => {
      if (!refuses || !list.part.test(url) || (refused ?? url) !== url) return undefined;
      refused = url;
      const headers = { 'content-type': 'application/json' };
      return { status: list.status, headers, body: Buffer.from(JSON.stringify(list.body)) };
    },
  });
  const path = (await list.path?.(provider)) ?? {};
  const query = { limit: list.limit ?? 1000 };
  const { result, messages } = await provider.succeed(list.id, { path, query });
  const { problems = [] } = (messages ?? {}) as { problems?: { instance: string }[] };
  return { rows: (result as Json[]).length, kinds: problems.map(({ instance }) => instance) };
}

describe('one of many parts that a vendor refuses', () => {
  it.each(lists)('leaves the others of $id of $type', async (list) => {
    const whole = await read(list, false);
    const rest = await read(list, true);
    expect([whole.kinds, rest.kinds]).toEqual([[], [list.instance]]);
    expect(rest.rows).toBeGreaterThan(0);
    if (list.isKept) expect(rest.rows).toBe(whole.rows);
    else expect(rest.rows).toBeLessThanOrEqual(whole.rows);
  });
});
