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
  /** True if it refuses all of them, as where a permission is missing. */
  all?: true;
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

const channelOf = async (slack: OverFake) => {
  const [found] = await slack.all('chat_query_conversations');
  return { conversationId: found?.['conversation'].uid as string };
};
const missingScope = { ok: false, error: 'missing_scope', needed: 'groups:read' };

const lists: List[] = [
  {
    type: 'chat_slack',
    folder: 'slack',
    id: 'chat_query_conversations',
    principal: 'bot',
    part: /conversations\.list\?.*types=[^&]*private_channel/,
    all: true,
    status: 200,
    body: missingScope,
    instance: 'part-left-out',
  },
  {
    type: 'chat_slack',
    folder: 'slack',
    id: 'chat_query_conversation_members',
    principal: 'bot',
    path: channelOf,
    part: /users\.(?:info|list)\?/,
    all: true,
    status: 200,
    body: missingScope,
    instance: 'part-left-out',
    isKept: true,
  },
  {
    type: 'chat_microsoft_teams',
    folder: 'microsoft-graph',
    config: tenant,
    id: 'chat_query_user_conversations',
    path: async (teams) => {
      for (const { entity } of await teams.all('chat_query_users')) {
        const path = { userId: entity.user.uid as string };
        const found = await teams.all('chat_query_user_conversations', {}, path);
        if (found.some(({ conversation }) => String(conversation.uid).startsWith('19:')))
          return path;
      }
      throw new Error('nobody has a chat');
    },
    part: /\/teams\/[^/]+\/channels/,
    all: true,
    status: 403,
    body: graphError('Forbidden'),
    instance: 'part-left-out',
  },
  {
    type: 'incidentresponse_pagerduty',
    folder: 'pagerduty',
    id: 'incidentresponse_query_escalation_policy_users_on_call',
    path: async (pagerduty) => {
      const [found] = await pagerduty.all('incidentresponse_query_escalation_policies');
      return { escalationPolicyId: found?.['uid'] as string };
    },
    part: /\/escalation_policies\/\w+ /,
    all: true,
    status: 403,
    body: { error: { message: 'Access Denied', code: 2010 } },
    instance: 'part-left-out',
    isKept: true,
  },
  {
    type: 'chat_slack',
    folder: 'slack',
    id: 'chat_query_conversation_members',
    principal: 'bot',
    limit: 10,
    path: channelOf,
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
    part: /\/users\/[^/]+\/risk /,
    status: 404,
    body: { errorCode: 'E0000007', errorSummary: 'Not found' },
    instance: 'item-left-out',
  },
  {
    type: 'identity_github',
    folder: 'github-code',
    id: 'identity_query_users',
    config: { organization_slug: 'alderpoint' },
    part: /\.com\/users\/[^/]+ $/,
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
    before: ({ url, body }) => {
      const key = `${url} ${body instanceof Uint8Array ? Buffer.from(body).toString() : ''}`;
      if (!refuses || !list.part.test(key)) return undefined;
      refused ??= key;
      if (list.all !== true && refused !== key) return undefined;
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
    expect([whole.kinds, [...new Set(rest.kinds)]]).toEqual([[], [list.instance]]);
    expect(rest.rows).toBeGreaterThan(0);
    if (list.isKept) expect(rest.rows).toBe(whole.rows);
    else expect(rest.rows).toBeLessThanOrEqual(whole.rows);
  });
});
