import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type Service, startService } from './service.js';

let service: Service;
let accountId: string;

beforeAll(async () => {
  service = await startService();
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {
    name: 'mcp',
  });
  accountId = made.result.account.id;
}, 120_000);
afterAll(() => service.stop());

async function tokenFor(scope: object): Promise<string> {
  const { result } = await service.call<{ secret: string }>('POST', '/v1/tokens/mcp', { scope });
  return result.secret;
}

const developer = () => tokenFor({ type: 'developer', account_id: accountId });
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function send(
  message: unknown,
  { token, method = 'POST', ...more }: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(`${service.url}/mcp`, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...more,
    },
    ...(method === 'POST'
      ? { body: typeof message === 'string' ? message : JSON.stringify(message) }
      : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

interface ToolAnswer {
  result: { isError?: boolean; content: { type: string; text: string }[]; _meta: object };
}

async function callTool(token: string, name: string, given: object): Promise<ToolAnswer['result']> {
  const params = { name, arguments: given };
  const { body } = await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { token });
  return (body as unknown as ToolAnswer).result;
}

describe('a token that may only try dangerous operations', () => {
  it('is refused the operation, and gets its dry run with the token that confirms it', async () => {
    await service.call('POST', `/v1/integrations/${accountId}`, {
      provider_config: { type: 'identity_okta_mock' },
    });
    const made = await service.call<{ secret: string }>('POST', '/v1/tokens/mcp', {
      scope: { type: 'integration-usage', account_id: accountId },
      permission_set: 'mcp-integrations-dry-run',
    });
    const token = made.result.secret;
    const users = await callTool(token, 'identity_query_users', { limit: 1 });
    const [{ entity }] = (
      JSON.parse(users.content[0]?.text ?? '') as {
        result: { entity: { user: { uid: string } } }[];
      }
    ).result as [{ entity: { user: { uid: string } } }];
    const given = { userId: entity.user.uid };
    const refused = await callTool(token, 'identity_disable_user', given);
    expect(refused.isError).toBe(true);
    expect(refused.content[0]?.text).toContain('with dry_run=true only');
    const tried = await callTool(token, 'identity_disable_user', { ...given, dry_run: true });
    const { dry_run: found } = JSON.parse(tried.content[0]?.text ?? '') as {
      dry_run: { requests: object[]; confirm: { token: string } };
    };
    expect(found.requests.length).toBeGreaterThan(0);
    expect(found.confirm.token).toBeTruthy();
  });
});

describe('the MCP endpoint', () => {
  it('takes tokens that were made for it, and no others', async () => {
    const token = await developer();
    expect((await send(listTools, { token })).status).toBe(200);
    const nobody = await send(listTools);
    expect(nobody.status).toBe(401);
    expect(nobody.headers.get('www-authenticate')).toBe('Bearer');
    expect((await send(listTools, { token: 'ofm_unknown' })).status).toBe(401);
    expect((await send(listTools, { token: service.administrator.access })).status).toBe(403);
    expect((await send(listTools, { token: service.administrator.refresh })).status).toBe(401);
    await eventually(async () => {
      const query = 'filter=code[eq]permission_denied&filter=path[eq]/mcp';
      const { result } = await service.call<object[]>('GET', `/v1/audit/organizations?${query}`);
      expect(result).toHaveLength(1);
    });
  });

  it('forgets a token that was deleted', async () => {
    const made = await service.call<{ id: string; secret: string }>('POST', '/v1/tokens/mcp', {
      scope: { type: 'management' },
    });
    const token = made.result.secret;
    expect((await send(listTools, { token })).status).toBe(200);
    const { result } = await service.call<{ id: string; token_type?: string }[]>(
      'GET',
      '/v1/tokens?limit=100&order=created_at[desc]',
    );
    for (const { id } of result.slice(0, 1)) await service.call('DELETE', `/v1/tokens/${id}`);
    // The change reaches the gateway a moment after the response.
    await eventually(async () => expect((await send(listTools, { token })).status).toBe(401));
  });

  it('refuses other methods, batches, other content and pages of strangers', async () => {
    const token = await developer();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await send(undefined, { token, method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS']);
    }
    expect((await send([listTools], { token })).status).toBe(400);
    expect((await send('{', { token })).status).toBe(400);
    expect((await send('', { token })).status).toBe(400);
    expect((await send(listTools, { token, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send('['.repeat(100) + ']'.repeat(100), { token })).status).toBe(400);
    expect((await send(listTools, { token, origin: 'https://evil.example' })).status).toBe(403);
    const ours = await send(listTools, { token, origin: 'https://console.example.com' });
    expect(ours.status).toBe(200);
    expect(ours.headers.get('access-control-allow-origin')).toBe('https://console.example.com');
    expect((await send(listTools, { token, origin: service.url })).status).toBe(200);
    expect((await send({ jsonrpc: '2.0', id: 1 }, { token })).status).toBe(400);
    expect(service.heldBodyBytes()).toBe(0);
  });

  it('answers a file as its text, an image as an image and other bytes in base64', async () => {
    const path = `/v1/integrations/${accountId}`;
    const provider_config = { type: 'storage_mock_storage', bucket: 'mcp' };
    await service.call('POST', path, { name: 'files', provider_config });
    const token = await developer();
    for (const [name, file, expected] of [
      ['a.txt', { text: 'plain' }, { type: 'text', text: 'plain' }],
      [
        'b.png',
        { base64: 'iVBORw0KGgo=', content_type: 'image/png' },
        { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      ],
      [
        'c.bin',
        { base64: 'AAEC', content_type: 'application/octet-stream' },
        { type: 'resource', resource: { blob: 'AAEC' } },
      ],
    ] as const) {
      const stored = await callTool(token, 'storage_upload_file', {
        path: `folder/${name}`,
        file: { name, ...file },
      });
      expect([name, stored.isError]).toEqual([name, undefined]);
      const read = await callTool(token, 'storage_download_file', { path: `folder/${name}` });
      expect(read.content).toMatchObject([expected]);
    }
    const wrong = await callTool(token, 'storage_upload_file', { path: 'x', file: { name: 'x' } });
    expect(wrong.isError).toBe(true);
  });

  it('names the request, so that it is found in logs and the audit trail', async () => {
    const token = await developer();
    const { _meta: meta, content } = await callTool(token, 'ticketing_query_tickets', {});
    const { request_id: id } = meta as { request_id: string };
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({
      status: 404,
      instance: `/requests/${id}`,
    });
  });
});
