import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration } from './records.js';

const mapping = `
engine: bloblang_direct
version: "1.0"
templates:
  default: |
    root = this.without("__root__")
    root.summary = this.title.or(this.summary).uppercase()
`;

/**
 * Features of connector operations on the mock: idempotency keys, concurrent writes, meta functions, and customers'
 * mappings. test/walks/ticketing.yaml walks through the operations themselves.
 */
export function connectorFeatures(onefold: () => Onefold): void {
  let tickets: Client;
  let place: { accountId: string; integrationId: string };

  beforeAll(async () => {
    const { token, ...rest } = await createMockIntegration(onefold().api, 'walk-ticketing');
    tickets = onefold().api.as(token);
    place = rest;
  });

  describe('tickets', () => {
    it('are created once per Idempotency-Key, and the key is free again after a failure', async () => {
      const parts = {
        body: { name: 'Once', summary: 'Once' },
        headers: { 'idempotency-key': 'walk-once' },
      };
      const first = await tickets.call('ticketing_create_ticket', parts);
      expect(await tickets.call('ticketing_create_ticket', parts)).toEqual(first);
      await tickets.refuse('ticketing_create_ticket', 409, {
        ...parts,
        body: { name: 'Twice', summary: 'Twice' },
      });
      const found = await tickets.call('ticketing_query_tickets', {
        query: { filter: ['name[eq]Once'] },
      });
      expect(found.result.map(({ id }) => id)).toEqual([first.result.id]);

      const failing = {
        path: { ticketId: 'T-none' },
        body: { content: 'lost' },
        headers: { 'idempotency-key': 'walk-failing' },
      };
      await tickets.refuse('ticketing_create_comment', 404, failing);
      await tickets.refuse('ticketing_create_comment', 404, failing);
    });

    it('have attachments of 25 MB, there and back; "larger ones get a 413 that says so"', async () => {
      const body = { name: 'Large', summary: 'Large' };
      const { result: ticket } = await tickets.call('ticketing_create_ticket', { body });
      const path = { ticketId: ticket.id };
      const file = (bytes: number) => ({
        file_name: 'large.bin',
        content: Buffer.alloc(bytes, 'large').toString('base64'),
      });
      const maxFile = file(26_214_400);
      const { result } = await tickets.call('ticketing_create_attachment', { path, body: maxFile });
      const got = await tickets.call('ticketing_download_attachment', {
        path: { ...path, attachmentId: result.id },
      });
      expect(got.result.content === maxFile.content).toBe(true);
      for (const bytes of [26_214_401, 30_000_000])
        await tickets.refuse('ticketing_create_attachment', 413, { path, body: file(bytes) });
    });

    it('are created at the same time, each with an id of its own', async () => {
      const made = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          tickets.call('ticketing_create_ticket', {
            body: { name: `Rush ${index}`, summary: 'Rush' },
          }),
        ),
      );
      expect(new Set(made.map(({ result }) => result.id)).size).toBe(12);
    });

    it('keep every one of the changes that are made at the same time', async () => {
      const { result: made } = await tickets.call('ticketing_create_ticket', {
        body: { name: 'Race', summary: 'Race', tags: [] },
      });
      const path = { ticketId: made.id };
      const tags = Array.from({ length: 8 }, (_, index) => `t${index}`);
      await Promise.all(
        tags.map((value) =>
          tickets.call('ticketing_patch_ticket', {
            path,
            body: [{ op: 'add', path: '/tags/-', value }],
          }),
        ),
      );
      const { result } = await tickets.call('ticketing_get_ticket', { path });
      expect([...(result.tags ?? [])].sort()).toEqual(tags);
    });

    it('come by the time they were made when no order is asked for', async () => {
      const { result } = await tickets.call('ticketing_query_tickets');
      const times = result.map(({ created_at }) => Date.parse(created_at ?? ''));
      expect(times).toEqual([...times].sort((a, b) => a - b));
    });
  });

  describe('meta functions', () => {
    it('count, by facets too', async () => {
      const { result, meta } = await tickets.call('ticketing_query_tickets', {
        query: { meta: ['stats/count'] },
      });
      expect(meta?.stats?.count).toEqual({ '*': result.length });
      const facets = await tickets.call('ticketing_query_tickets', {
        query: { meta: ['stats/count([priority])'] },
      });
      const counts = Object.values(facets.meta?.stats?.count ?? {});
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(result.length);
    });

    it("return the provider's own answer", async () => {
      const { meta } = await tickets.call('ticketing_query_tickets', {
        query: { limit: 1, meta: ['api/response(primary)'] },
      });
      expect(meta?.api?.response?.primary?.response).toContain('{');
    });

    it('name the mappings that were applied, from a body too', async () => {
      const { meta } = await tickets.call('ticketing_create_ticket', {
        body: { name: 'Meta', summary: 'Meta', meta: ['mapping/chains'] } as never,
      });
      expect(meta?.mapping?.chains?.['ticketing_create_ticket']).toEqual(['default:0']);
    });

    it('show a record before the first mapping and behind each, and keep it out of the audit trail', async () => {
      const body = { name: 'Trace', summary: 'Kept-out-of-the-trail', meta: ['mapping/trace(1)'] };
      const { meta } = await tickets.call('ticketing_create_ticket', { body: body });
      const [request, response] = meta?.mapping?.trace?.['ticketing_create_ticket'] ?? [];
      expect(request).toMatchObject({ direction: 'request', input: { name: 'Trace' } });
      expect(response).toMatchObject({
        direction: 'response',
        steps: [{ mapping: 'default:0', dropped: false, output: { name: 'Trace' } }],
      });
      // Records of creates are written behind the response.
      const trail = await eventually(async () => {
        const { result } = await onefold().api.call('audit_list', {
          query: { filter: [`integration_id[eq]${place.integrationId}`], limit: 1000 },
        });
        expect(JSON.stringify(result)).toContain('/v1/ticketing/tickets');
        return JSON.stringify(result);
      });
      expect(trail).not.toContain('Kept-out-of-the-trail');
    });

    it('that are malformed are 400 and point at the character', async () => {
      const problem = await tickets.refuse('ticketing_query_tickets', 400, {
        query: { meta: ['stats/count(['] },
      });
      expect(problem.context?.parameter).toMatchObject({ location: 'query' });
      expect(`${problem.message} ${problem.detail ?? ''}`).toMatch(/character|column|position/);
    });
  });

  describe("a customer's mapping", () => {
    it('changes what the integration answers', async () => {
      const { api } = onefold();
      const { result } = await api.call('mappings_create', {
        body: { name: 'walk-shout', data: mapping },
      });
      const integration = { accountId: place.accountId, integrationId: place.integrationId };
      await api.call('integrations_patch', {
        path: integration,
        body: [
          {
            op: 'add',
            path: '/mappings',
            value: [
              {
                operation_ids: ['ticketing_query_tickets'],
                mappings: ['default:0', result.mapping.name],
              },
            ],
          },
        ],
      });
      await eventually(async () => {
        const page = await tickets.call('ticketing_query_tickets', {
          query: { limit: 3, meta: ['mapping/chains'] },
        });
        for (const { summary } of page.result) expect(summary).toBe(summary.toUpperCase());
        expect(page.meta?.mapping?.chains?.['ticketing_query_tickets']).toEqual([
          'default:0',
          'walk-shout:1',
        ]);
      });
    });

    it('is tried out with apply, and refused with line and column when it is wrong', async () => {
      const { api } = onefold();
      const { result } = await api.call('mappings_create', {
        body: { name: 'walk-apply', data: mapping },
      });
      const applied = await api.call('mappings_apply', {
        body: { mappings: [result.mapping.name], data: { summary: 'quiet' } },
      });
      expect(JSON.stringify(applied)).toContain('QUIET');
      const problem = await api.refuse('mappings_create', 400, {
        body: { data: mapping.replace('uppercase()', 'uppercase(') },
      });
      expect(JSON.stringify(problem)).toMatch(/line/);
    });
  });
}
