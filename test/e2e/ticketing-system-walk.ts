import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';
import type { RunningSystem, TicketingSystem } from './ticketing-systems.js';

/** The operations of ticketing on a system outside of Onefold, through a provider document. */
export function ticketingSystemWalk(onefold: () => Onefold, system: TicketingSystem): void {
  const { name, skipped } = system;
  const title = skipped === undefined ? name : `${name} (not here: ${skipped})`;
  (skipped === undefined ? describe : describe.skip)(title, () => walk(onefold, system));
}

function walk(onefold: () => Onefold, system: TicketingSystem): void {
  const { without, body, closed, nobody } = system;
  let running: RunningSystem;
  let tickets: Client;
  let place: { accountId: string; integrationId: string };
  const has = (id: OperationId) => without[id] === undefined;

  beforeAll(async () => {
    running = await system.start();
    const { api } = onefold();
    const slug = system.name.toLowerCase().replace(/[^a-z]+/g, '-');
    const { account } = (await api.call('accounts_create', { body: { name: `systems-${slug}` } }))
      .result;
    const { integration, token } = (
      await api.call('integrations_create', {
        path: { accountId: account.id },
        body: { name: slug, provider_config: running.config as never },
      })
    ).result;
    place = { accountId: account.id, integrationId: integration.id };
    tickets = api.as(token.access.secret);
  });
  afterAll(() => running.stop());

  const create = async (more: Record<string, unknown> = {}) =>
    (
      await tickets.call('ticketing_create_ticket', {
        body: { name: 'Disk full', summary: 'Disk full', ...body, ...more },
      })
    ).result;

  it('lists its projects and the fields of its tickets', async () => {
    const { result: projects } = await tickets.call('ticketing_list_projects');
    expect(projects.length).toBeGreaterThan(0);
    const { result: fields } = await tickets.call('ticketing_list_remote_fields');
    expect(fields.length).toBeGreaterThan(2);
  });

  it('creates, reads and patches a ticket', async () => {
    const made = await create({ description: 'First line\nsecond line\n\nAnother paragraph.' });
    const path = { ticketId: made.id };
    const { result: read } = await tickets.call('ticketing_get_ticket', { path });
    expect(read).toEqual(made);
    expect(read).toMatchObject({
      summary: 'Disk full',
      description: 'First line\nsecond line\n\nAnother paragraph.',
      ...body,
    });
    const { result: patched } = await tickets.call('ticketing_patch_ticket', {
      path,
      body: [
        { op: 'replace', path: '/summary', value: 'Disk is full' },
        { op: 'remove', path: '/description' },
        { op: 'replace', path: '/status', value: closed },
      ],
    });
    expect(patched).toMatchObject({ id: made.id, summary: 'Disk is full', status: closed });
    expect(patched.description ?? '').toBe('');
    const again = await tickets.call('ticketing_get_ticket', { path });
    expect(again.result).toEqual(patched);
  });

  it('gives every ticket once, in pages, in the order of their creation', async () => {
    if (running.seed === undefined) for (let made = 0; made < 10; made += 1) await create();
    else await running.seed(120);
    const seen: string[] = [];
    const times: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await tickets.call('ticketing_query_tickets', {
        query: { limit: 7, ...(cursor ? { cursor } : {}) },
      });
      expect(page.result.length).toBeLessThanOrEqual(7);
      seen.push(...page.result.map(({ id }) => id));
      times.push(...page.result.map(({ created_at }) => Date.parse(created_at)));
      cursor = page.cursor;
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(10);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const { meta } = await tickets.call('ticketing_query_tickets', {
      query: { limit: 0, meta: ['stats/count'] },
    });
    expect(meta?.stats?.count).toEqual({ '*': seen.length });
  });

  it('filters, whether the system can or not', async () => {
    const summary = `Needle ${Date.now()}`;
    const made = await create({ name: summary, summary });
    const byName = await tickets.call('ticketing_query_tickets', {
      query: { filter: [`summary[eq]${summary}`] },
    });
    expect(byName.result.map(({ id }) => id)).toEqual([made.id]);
    await tickets.call('ticketing_patch_ticket', {
      path: { ticketId: made.id },
      body: [{ op: 'replace', path: '/status', value: closed }],
    });
    const done = await tickets.call('ticketing_query_tickets', {
      query: { filter: [`status[eq]${closed}`, `summary[like]needle`], limit: 5 },
    });
    expect(done.result.map(({ status }) => status)).toContain(closed);
    expect(new Set(done.result.map(({ status }) => status)).size).toBe(1);
    const newest = await tickets.call('ticketing_query_tickets', {
      query: { order: ['time[desc]'], limit: 1 },
    });
    expect(newest.result).toHaveLength(1);
    await tickets.refuse('ticketing_query_tickets', 400, { query: { filter: ['nonsense[eq]x'] } });
  });

  it('has comments', async () => {
    const path = { ticketId: (await create()).id };
    const { result: comment } = await tickets.call('ticketing_create_comment', {
      path,
      body: { content: 'hello\nthere' },
    });
    expect(comment).toMatchObject({ ticket_id: path.ticketId, content: 'hello\nthere' });
    const { result } = await tickets.call('ticketing_list_comments', { path });
    expect(result).toEqual([comment]);
    if (has('ticketing_delete_comment')) {
      await tickets.call('ticketing_delete_comment', { path: { ...path, commentId: comment.id } });
      expect((await tickets.call('ticketing_list_comments', { path })).result).toEqual([]);
    }
  });

  if (has('ticketing_list_notes'))
    it('has notes', async () => {
      const path = { ticketId: (await create()).id };
      const { result: note } = await tickets.call('ticketing_create_note', {
        path,
        body: { title: 'first', content: 'a note' },
      });
      expect(note).toMatchObject({ ticket_id: path.ticketId, title: 'first', content: 'a note' });
      if (has('ticketing_patch_note')) {
        const { result: patched } = await tickets.call('ticketing_patch_note', {
          path: { ...path, noteId: note.id },
          body: [{ op: 'replace', path: '/content', value: 'another' }],
        });
        expect(patched).toMatchObject({ id: note.id, title: 'first', content: 'another' });
      }
      expect((await tickets.call('ticketing_list_notes', { path })).result).toHaveLength(1);
      expect((await tickets.call('ticketing_list_comments', { path })).result).toEqual([]);
      if (has('ticketing_delete_note')) {
        await tickets.call('ticketing_delete_note', { path: { ...path, noteId: note.id } });
        expect((await tickets.call('ticketing_list_notes', { path })).result).toEqual([]);
      }
    });

  if (has('ticketing_create_attachment'))
    it('has attachments', async () => {
      const path = { ticketId: (await create()).id };
      const content = Buffer.from('some bytes').toString('base64');
      const { result: file } = await tickets.call('ticketing_create_attachment', {
        path,
        body: { file_name: 'a.txt', content },
      });
      const { result } = await tickets.call('ticketing_list_attachments_metadata', { path });
      expect(result).toEqual([file]);
      expect(file).toMatchObject({ file_name: 'a.txt', file_size: 10, ticket_id: path.ticketId });
      const attachment = { ...path, attachmentId: file.id };
      const download = await tickets.call('ticketing_download_attachment', { path: attachment });
      expect(download.result).toMatchObject({ file_name: 'a.txt', content });
      await tickets.call('ticketing_delete_attachment', { path: attachment });
      await tickets.refuse('ticketing_download_attachment', 404, { path: attachment });
    });

  it('says 404 of what does not exist', async () => {
    const problem = await tickets.refuse('ticketing_get_ticket', 404, {
      path: { ticketId: nobody },
    });
    if (running.secret !== undefined) expect(problem.context?.provider_details).toBeDefined();
    await tickets.refuse('ticketing_list_comments', 404, { path: { ticketId: nobody } });
  });

  it('shows its own answer without the secret, and logs none', async () => {
    const { meta } = await tickets.call('ticketing_query_tickets', {
      query: { limit: 1, meta: ['api/response(all)'] },
    });
    const shown = JSON.stringify(meta);
    expect(meta?.api?.response?.primary?.response).toContain('{');
    if (running.secret === undefined) return;
    expect(shown).not.toContain(running.secret);
    for (const { output } of Object.values(onefold().processes))
      expect(output()).not.toContain(running.secret);
  });

  it('is verified, and refuses a wrong credential by name', async () => {
    const { api } = onefold();
    await api.call('integrations_verify_existing', { path: place });
    if (running.secret === undefined) return;
    const credential = { ...(running.config['credential'] as object), secret: 'not-the-secret' };
    const problem = await api.refuse('integrations_verify', 400, {
      path: { accountId: place.accountId },
      body: {
        integration: {
          name: 'wrong',
          provider_config: { ...running.config, credential } as never,
        },
      },
    });
    expect(problem.message).toMatch(/refuses|does not permit/);
  });

  it("keeps to the vendor's description, both ways", async () => {
    expect(await running.violations()).toEqual([]);
  });

  const missing = Object.entries(without);
  if (missing.length === 0) return;
  it.each(missing)('answers 501 to %s: %s', async (id) => {
    await tickets.refuse(id as OperationId, 501, {
      path: Object.fromEntries(
        ['ticketId', 'noteId', 'attachmentId', 'commentId', 'escalationPolicyId'].map((key) => [
          key,
          '1',
        ]),
      ) as never,
      ...(id.includes('create_note') ? { body: { title: 't', content: 'c' } } : {}),
      ...(id.includes('create_attachment')
        ? { body: { file_name: 'a.txt', content: 'YQ==' } }
        : {}),
      ...(id.includes('patch_note') ? { body: [] as never } : {}),
    });
  });
}
