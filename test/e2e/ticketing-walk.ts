import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';
import { createMockIntegration, soon } from './records.js';

const mapping = `
engine: bloblang_direct
version: "1.0"
templates:
  default: |
    root = this.without("__root__")
    root.summary = this.title.or(this.summary).uppercase()
`;

/** All operations of ticketing on the built-in mock, meta functions, and a customer's own mapping. */
export function ticketingWalk(onefold: () => Onefold): void {
  let tickets: Client;
  let place: { accountId: string; integrationId: string };

  beforeAll(async () => {
    const { token, ...rest } = await createMockIntegration(onefold().api, 'walk-ticketing');
    tickets = onefold().api.as(token);
    place = rest;
  });

  describe('tickets', () => {
    it('are there from the start: a dozen, in pages', async () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await tickets.call('ticketing_query_tickets', {
          query: { limit: 5, ...(cursor ? { cursor } : {}) },
        });
        expect(page.result.length).toBeLessThanOrEqual(5);
        seen.push(...page.result.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== '');
      expect(seen.length).toBeGreaterThanOrEqual(12);
      expect(new Set(seen).size).toBe(seen.length);
    });

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

    it('are created, read, patched, filtered and ordered', async () => {
      const { result: made } = await tickets.call('ticketing_create_ticket', {
        body: {
          name: 'Printer on fire',
          summary: 'Printer on fire',
          priority: 'URGENT',
          tags: ['walk'],
        },
      });
      expect(made).toMatchObject({ summary: 'Printer on fire', priority: 'URGENT' });
      const path = { ticketId: made.id };
      const patched = await tickets.call('ticketing_patch_ticket', {
        path,
        body: [{ op: 'replace', path: '/summary', value: 'Printer was on fire' }],
      });
      expect(patched.result.summary).toBe('Printer was on fire');
      const read = await tickets.call('ticketing_get_ticket', { path });
      expect(read.result.summary).toBe('Printer was on fire');
      const found = await tickets.call('ticketing_query_tickets', {
        query: { filter: ['summary[eq]"Printer was on fire"'] },
      });
      expect(found.result.map(({ id }) => id)).toEqual([made.id]);
      const newest = await tickets.call('ticketing_query_tickets', {
        query: { order: ['time[desc]'], limit: 1 },
      });
      expect(newest.result[0]?.id).toBe(made.id);
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

    it('lose a field that a patch removes', async () => {
      const { result: made } = await tickets.call('ticketing_create_ticket', {
        body: { name: 'Lamp', summary: 'Lamp', description: 'flickers', tags: ['light'] },
      });
      const path = { ticketId: made.id };
      await tickets.call('ticketing_patch_ticket', {
        path,
        body: [{ op: 'remove', path: '/description' }],
      });
      const { result } = await tickets.call('ticketing_get_ticket', { path });
      expect(result).not.toHaveProperty('description');
      expect(result).toMatchObject({ summary: 'Lamp', tags: ['light'] });
    });

    it('come by the time they were made when no order is asked for', async () => {
      const { result } = await tickets.call('ticketing_query_tickets');
      const times = result.map(({ created_at }) => Date.parse(created_at ?? ''));
      expect(times).toEqual([...times].sort((a, b) => a - b));
    });

    it('that do not exist are 404', async () => {
      const problem = await tickets.refuse('ticketing_get_ticket', 404, {
        path: { ticketId: 'T-none' },
      });
      expect(problem.message).toContain('T-none');
    });

    it('have comments, notes and attachments', async () => {
      const { result: ticket } = await tickets.call('ticketing_create_ticket', {
        body: { name: 'Talk', summary: 'Talk' },
      });
      const path = { ticketId: ticket.id };
      const { result: comment } = await tickets.call('ticketing_create_comment', {
        path,
        body: { content: 'hello' },
      });
      const comments = await tickets.call('ticketing_list_comments', { path });
      expect(comments.result.map(({ content }) => content)).toEqual(['hello']);
      await tickets.call('ticketing_delete_comment', { path: { ...path, commentId: comment.id } });
      expect((await tickets.call('ticketing_list_comments', { path })).result).toEqual([]);

      const { result: note } = await tickets.call('ticketing_create_note', {
        path,
        body: { title: 'first', content: 'a note' },
      });
      await tickets.call('ticketing_patch_note', {
        path: { ...path, noteId: note.id },
        body: [{ op: 'replace', path: '/title', value: 'second' }],
      });
      const notes = await tickets.call('ticketing_list_notes', { path });
      expect(notes.result).toMatchObject([{ title: 'second', content: 'a note' }]);
      await tickets.call('ticketing_delete_note', { path: { ...path, noteId: note.id } });

      const content = Buffer.from('some bytes').toString('base64');
      await tickets.call('ticketing_create_attachment', {
        path,
        body: { file_name: 'a.txt', content },
      });
      const [file, ...others] = (
        await tickets.call('ticketing_list_attachments_metadata', { path })
      ).result;
      expect(others).toEqual([]);
      expect(file).toMatchObject({ file_name: 'a.txt', file_type: 'text/plain', file_size: 10 });
      const attachment = { ...path, attachmentId: file?.id ?? '' };
      const download = await tickets.call('ticketing_download_attachment', { path: attachment });
      expect(download.result).toMatchObject({ file_name: 'a.txt', content });
      await tickets.call('ticketing_delete_attachment', { path: attachment });
      await tickets.refuse('ticketing_download_attachment', 404, { path: attachment });
    });

    it('come with projects, remote fields and who is on call', async () => {
      expect((await tickets.call('ticketing_list_projects')).result.length).toBeGreaterThan(0);
      expect((await tickets.call('ticketing_list_remote_fields')).result.length).toBeGreaterThan(0);
      const policies = await tickets.call('ticketing_query_escalation_policies');
      const [policy] = policies.result;
      const onCall = await tickets.call('ticketing_list_on_call', {
        path: { escalationPolicyId: policy?.id ?? '' },
      });
      expect(onCall.result).toBeDefined();
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
      await soon(async () => {
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
