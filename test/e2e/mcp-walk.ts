import { describe, expect, it } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';

interface Answer {
  isError: boolean;
  value: Record<string, unknown>;
}

/** An assistant, played by the official client. */
interface Assistant {
  tools: Awaited<ReturnType<McpClient['listTools']>>['tools'];
  names: string[];
  call(name: string, given?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

/** Tests the MCP endpoint with the official client. */
export function mcpWalk(onefold: () => Pick<Onefold, 'api'>): void {
  const api = (): Client => onefold().api;

  async function assistantOf(scope: object): Promise<Assistant> {
    const made = await api().call('tokens_create_mcp_token', { body: { scope } });
    const client = new McpClient({ name: 'walk', version: '1' });
    const headers = { authorization: `Bearer ${made.result.secret}` };
    // The types of the transport and of the protocol differ in what may be undefined.
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', api().url), {
      requestInit: { headers },
    }) as never;
    await client.connect(transport);
    const { tools } = await client.listTools();
    return {
      tools,
      names: tools.map(({ name }) => name),
      call: async (name, given = {}) => {
        const { isError = false, content } = await client.callTool({ name, arguments: given });
        const [{ text }] = content as [{ text: string }];
        return { isError: isError === true, value: JSON.parse(text) as Record<string, unknown> };
      },
      close: () => client.close(),
    };
  }

  describe('the MCP endpoint', () => {
    it('lets an assistant use the integrations of an account, and nothing else', async () => {
      const { accountId, integrationId } = await createMockIntegration(api(), 'mcp-use');
      const assistant = await assistantOf({ type: 'integration-usage', account_id: accountId });
      expect(assistant.names).toContain('ticketing_create_ticket');
      expect(assistant.names).toContain('integrations_list_account');
      for (const none of ['identity_query_users', 'accounts_create', 'tokens_create_token'])
        expect(assistant.names).not.toContain(none);

      const listed = await assistant.call('integrations_list_account', { fields: ['id'] });
      expect(listed.value['result']).toEqual([{ id: integrationId }]);
      const made = await assistant.call('ticketing_create_ticket', {
        integration_id: integrationId,
        body: { name: 'From an assistant', priority: 'HIGH' },
        idempotency_key: 'walk-1',
      });
      expect(made).toMatchObject({ isError: false, value: { result: { priority: 'HIGH' } } });
      const { id } = made.value['result'] as { id: string };
      const again = await assistant.call('ticketing_create_ticket', {
        body: { name: 'From an assistant', priority: 'HIGH' },
        idempotency_key: 'walk-1',
      });
      expect(again.value['result']).toMatchObject({ id });
      const found = await assistant.call('ticketing_query_tickets', {
        filter: ['name[eq]From an assistant'],
        fields: ['id', 'priority'],
      });
      expect(found.value['result']).toEqual([{ id, priority: 'HIGH' }]);
      const page = await assistant.call('ticketing_query_tickets', { limit: 2, fields: ['id'] });
      expect(page.value['result']).toHaveLength(2);
      const next = { limit: 2, cursor: page.value['cursor'], fields: ['id'] };
      expect((await assistant.call('ticketing_query_tickets', next)).value['result']).not.toEqual(
        page.value['result'],
      );
      await assistant.close();
    });

    it('tells what is wrong and what to do, in words for the model', async () => {
      const { accountId } = await createMockIntegration(api(), 'mcp-wrong');
      const other = await createMockIntegration(api(), 'mcp-other');
      const assistant = await assistantOf({ type: 'integration-usage', account_id: accountId });
      for (const [name, given, expected] of [
        ['ticketing_get_ticket', { ticketId: 'T-none' }, { status: 404 }],
        ['ticketing_get_ticket', {}, { status: 400 }],
        ['ticketing_query_tickets', { limits: 3 }, { status: 400 }],
        ['ticketing_query_tickets', { filter: ['name[is]x'] }, { status: 400 }],
        ['ticketing_create_ticket', { body: { name: 7 } }, { status: 400 }],
        ['ticketing_query_tickets', { integration_id: other.integrationId }, { status: 404 }],
        ['identity_query_users', {}, { status: 404 }],
        ['accounts_create', { body: { name: 'by an assistant' } }, { status: 403 }],
        ['no_such_tool', {}, { status: 403 }],
      ] as const) {
        const { isError, value } = await assistant.call(name, given);
        expect([name, isError, value]).toEqual([name, true, expect.objectContaining(expected)]);
        expect(value['remediation'] ?? value['context']).toBeDefined();
      }
      await assistant.close();
    });

    it('keeps to the operations and accounts of the token', async () => {
      const { accountId } = await createMockIntegration(api(), 'mcp-limits');
      const other = await createMockIntegration(api(), 'mcp-elsewhere');
      const reader = await assistantOf({
        type: 'integration-usage',
        account_id: accountId,
        restrict_to_connector_operations: ['ticketing_query_tickets'],
      });
      expect(reader.names.filter((name) => name.startsWith('ticketing_'))).toEqual([
        'ticketing_query_tickets',
      ]);
      expect((await reader.call('ticketing_create_ticket', { body: { name: 'x' } })).isError).toBe(
        true,
      );
      await reader.close();

      const manager = await assistantOf({ type: 'management', account_id: accountId });
      expect(manager.names).toContain('connect_create_session');
      const session = manager.tools.find(({ name }) => name === 'connect_create_session');
      expect(session?.inputSchema.required).not.toContain('accountId'); // it is that of the token
      expect(manager.names.filter((name) => name.startsWith('ticketing_'))).toEqual([]);
      const own = await manager.call('accounts_list', { fields: ['id'] });
      expect(own.value['result']).toEqual([{ id: accountId }]);
      const path = { accountId: other.accountId, integrationId: other.integrationId };
      expect(await manager.call('integrations_get', path)).toMatchObject({
        isError: true,
        value: { status: 404 },
      });
      await manager.close();

      const developer = await assistantOf({ type: 'developer', account_id: accountId });
      for (const name of ['ticketing_create_ticket', 'integrations_create', 'mappings_apply'])
        expect(developer.names).toContain(name);
      await developer.close();
    });

    it('records what an assistant does as what programs do', async () => {
      const { accountId } = await createMockIntegration(api(), 'mcp-audit');
      const manager = await assistantOf({ type: 'management', account_id: accountId });
      const body = [{ op: 'replace', path: '/fullname', value: 'By an assistant' }];
      expect(await manager.call('accounts_patch', { body })).toMatchObject({ isError: false });
      await manager.close();
      const { result } = await api().call('audit_list', {
        query: { filter: [`account_id[eq]${accountId}`], limit: 100 },
      });
      expect(result).toContainEqual(
        expect.objectContaining({ method: 'PATCH', path: `/v1/accounts/${accountId}` }),
      );
    });
  });
}
