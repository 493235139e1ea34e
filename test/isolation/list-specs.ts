import { describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Operation } from '#contract';
import { tenants } from './tenants-of-run.js';
import { kinds, lists, named } from './tenants.js';

/** Lists that are empty because nothing fills them yet. */
const emptyLists = new Set<string>([
  'auth_list_logon_sso', // Nothing of the world is listed, so nobody may see any of it; test/api/sso lists one.
  'bridges_get_status',
  'integrations_list_deliveries', // Mocks send no messages; test/e2e/provider-webhooks has some.
]);

/**
 * Removes fields from audit records that may contain foreign ids: the paths that the caller requested with their responses, and the
 * members who called.
 */
function withoutRequestTexts({ group }: Operation, text: string): string {
  if (group !== 'audit') return text;
  const { result } = JSON.parse(text) as { result: Record<string, unknown>[] };
  const removed = { path: undefined, response: undefined, body: undefined, member_id: undefined };
  return JSON.stringify(result.map((row) => ({ ...row, ...removed })));
}

/** Returns an empty query, a query with every option, and filters that match everything. */
function queriesOf({ query }: Operation): Record<string, string | string[]>[] {
  const everything: Record<string, string | string[]> = {};
  for (const [name, { type, values }] of Object.entries(query))
    if (type === 'boolean') everything[name] = 'true';
    else if (values) everything[name] = [...values];
  const filters = 'filter' in query ? ['id[neq]x', 'name[like]%-%'] : [];
  return [{}, everything, ...filters.map((filter) => ({ filter }))];
}

/** Tests which rows callers see in lists. */
export function listSpecs(): void {
  describe.each(kinds)('%s', (kind) => {
    it.each(named(lists))('gets no foreign row from %s', async (_id, operation) => {
      const { token, foreign, canaries } = tenants.caller(kind);
      for (const query of queriesOf(operation)) {
        const path = tenants.ownPath(operation);
        const { status, text } = await tenants.send(operation, { path, query }, token);
        // Some callers cannot access the first account, and not every list supports these filters.
        expect([200, 401, 403, 404, ...('filter' in query ? [400] : [])]).toContain(status);
        const shown = status === 200 ? withoutRequestTexts(operation, text) : '';
        // One assertion, because a matcher takes many times as long as the search, and there are some hundred ids per response.
        expect([...foreign, ...canaries].filter((one) => shown.includes(one))).toEqual([]);
      }
    });
  });

  describe('the administrator', () => {
    it.each(named(lists.filter(({ id }) => !emptyLists.has(id))))(
      'gets its own rows from %s',
      async (_id, operation) => {
        await eventually(async () => {
          const { status, result } = await tenants.ownAnswer(operation);
          expect(status).toBe(200);
          expect((result as unknown[]).length).toBeGreaterThan(0);
        });
      },
    );
  });

  it('the other organization is unchanged', async () => {
    expect(await tenants.changedRows()).toEqual([]);
  });
}
