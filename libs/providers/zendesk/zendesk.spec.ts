import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import type { Secret } from '#secrets';
import { type Json, OverFake } from '#test/harness';

const over = new OverFake(
  new URL('../../../../libs/providers/zendesk/', import.meta.url),
  'ticketing_zendesk',
  {
    config: { url: 'https://alderpoint.zendesk.example/' },
    // People paste the user name without what says that the secret is a token.
    credential: ({ basic }) => ({
      type: 'basic',
      username: basic?.username.replace('/token', '') ?? '',
      secret: basic?.password ?? '',
    }),
  },
);
beforeAll(loadValidators);
beforeEach(() => {
  over.reset();
  over.answered = [];
});
/** The requests to a path, as the fake saw them. */
const asked = (path: string) =>
  (over.answered ?? [])
    .map(({ key }) => key)
    .filter((key) => key.includes(path))
    .map((key) => decodeURIComponent(key.replaceAll('+', ' ')));

describe('tickets of Zendesk', () => {
  it('are searched for by the filters, with whole seconds that have every ticket', async () => {
    const filter = [
      'created_at[gte]2026-11-10T08:00:00.500Z',
      'updated_at[lt]2026-11-21T08:00:00.500Z',
      'status[in]open,new',
      'assignee[eq]lars.hendriks@alderpoint.example',
    ];
    await over.all('ticketing_query_tickets', { filter });
    const [first = ''] = asked('/search');
    expect(first).toContain('created>=2026-11-10T08:00:00Z');
    expect(first).toContain('updated<=2026-11-21T08:00:01Z');
    expect(first).toContain('status<solved');
    expect(first).toContain('assignee:"lars.hendriks@alderpoint.example"');
    expect(first).toMatch(/sort_by=created_at.*sort_order=asc/);
  });

  it('are changed only in the version that was read, and else read again', async () => {
    let changes = 0;
    over.intercept = ({ method, url }) => {
      if (method !== 'PUT' || !url.includes('/tickets/4104')) return undefined;
      changes += 1;
      return changes === 1 ? { kind: 'status', status: 409 } : undefined;
    };
    const body = [{ op: 'replace', path: '/priority', value: 'HIGH' }];
    const path = { ticketId: '4104' };
    const { result } = await over.succeed('ticketing_patch_ticket', { path, body });
    over.intercept = undefined;
    expect(changes).toBe(2);
    expect(result).toMatchObject({ priority: 'HIGH' });
    const [put = ''] = asked('PUT');
    expect(put).toMatch(/"safe_update":true/);
    expect(put).toMatch(/"updated_stamp":"2026-/);
    expect(put).not.toMatch(/"subject"|"tags"/);
  });

  it("have the vendor's reason where it refuses a change", async () => {
    const body = [{ op: 'replace', path: '/priority', value: 'HIGH' }];
    const closed = (
      await over.all('ticketing_query_tickets', { filter: 'status[eq]closed' })
    )[0] as Json;
    const path = { ticketId: closed['id'] as string };
    const { message } = await over.refuse('ticketing_patch_ticket', 400, { path, body });
    expect(message).toContain('closed prevents ticket update');
  });

  it('name their people by e-mail address, or a name or an id where a call sends one', async () => {
    const body = [{ op: 'add', path: '/assignee', value: '361000000012' }];
    const { result } = await over.succeed('ticketing_patch_ticket', {
      path: { ticketId: '4104' },
      body,
    });
    expect((result as Json)['assignee']).toBe('priya.raman@alderpoint.example');
    const unknown = [{ op: 'add', path: '/assignee', value: 'Nobody Known' }];
    const { message } = await over.refuse('ticketing_patch_ticket', 400, {
      path: { ticketId: '4104' },
      body: unknown,
    });
    expect(message).toContain('"Nobody Known" is not exactly one user of Zendesk');
  });
});

describe('an integration of Zendesk', () => {
  it('is verified for an agent, and an end user is told what is missing', async () => {
    expect((await over.verify()).status).toBe(200);
    const user = { id: 1, email: 'ada@alderpoint.example', role: 'end-user', suspended: false };
    over.answer = (key) =>
      key.includes('/users/me')
        ? { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ user })) }
        : undefined;
    const { status, body } = await over.verify();
    over.answer = undefined;
    expect(status).toBe(400);
    expect(body['message']).toContain('ada@alderpoint.example is not an agent of the help desk');
  });
});

describe('comments of Zendesk', () => {
  it('and notes have the HTML of the Markdown that was written, which comes back the same', async () => {
    const [ticket] = await over.all('ticketing_query_tickets');
    const path = { ticketId: ticket?.['id'] as string };
    const content =
      'See [runbook](https://wiki.example/42)\nand **act** on `db-1`, R&D < 5:\n\n- one\n  - two\n\n```sh\nls -l\n```';
    const made = await over.succeed('ticketing_create_comment', { path, body: { content } });
    expect((made['result'] as Json)['content']).toBe(content);
    const note = { title: 'Cause', content };
    await over.succeed('ticketing_create_note', { path, body: note });
    const [, sent] = asked('/tickets/').filter((key) => key.startsWith('PUT'));
    expect(sent).toContain('<p>Cause</p>');
    expect(sent).toContain('<a href=\\"https://wiki.example/42\\">runbook</a><br>');
    const last = async (id: 'ticketing_list_comments' | 'ticketing_list_notes') =>
      ((await over.succeed(id, { path }))['result'] as Json[]).at(-1);
    expect(await last('ticketing_list_comments')).toMatchObject({ content });
    expect(await last('ticketing_list_notes')).toMatchObject(note);
  });

  it('and a ticket are shown where the statuses may not be read', async () => {
    const tickets = await over.all('ticketing_query_tickets');
    over.answer = (key) =>
      key.includes('/custom_statuses')
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{"error":{"title":"Forbidden","message":"no access"}}'),
          }
        : undefined;
    const path = { ticketId: tickets[0]?.['id'] as string };
    const { result, messages } = await over.succeed('ticketing_get_ticket', { path });
    over.answer = undefined;
    expect((result as Json)['name']).toBe(tickets[0]?.['name']);
    expect((messages as Json)['problems']).toMatchObject([{ instance: 'part-left-out' }]);
  });

  const path = { ticketId: '4136' };

  it('are public, and notes are internal, and no list has both', async () => {
    const { result: comments } = await over.succeed('ticketing_list_comments', { path });
    const { result: notes } = await over.succeed('ticketing_list_notes', { path });
    const publicOf = (rows: unknown) =>
      (rows as { unmapped: { public: boolean } }[]).map(({ unmapped }) => unmapped.public);
    expect(new Set(publicOf(comments))).toEqual(new Set([true]));
    expect(new Set(publicOf(notes))).toEqual(new Set([false]));
  });

  it('are sent once, also where the vendor answers that it failed', async () => {
    let sent = 0;
    over.intercept = ({ method }) => {
      if (method !== 'PUT') return undefined;
      sent += 1;
      return { kind: 'status', status: 503 };
    };
    await over.call('ticketing_create_comment', { path, body: { content: 'once' } });
    over.intercept = undefined;
    expect(sent).toBe(1);
  });
});

describe('webhooks of Zendesk', () => {
  it('are registered for events of tickets, with the secret that Zendesk chooses, and deleted', async () => {
    const webhooks = await over.webhooks();
    const facts = { url: 'https://one.example/v1/hooks?token=t', secret: 'x', id: '' };
    const group = { ...facts, project: '361000010001' };
    const made = (await webhooks.run('register', group)) as Json;
    expect(made['secret']).toMatch(/^[A-Za-z0-9+/=]{40,}$/);
    const registered = { ...group, id: String(made['id']) };
    expect(await webhooks.run('inspect', registered)).toEqual({ enabled: true });
    await webhooks.run('unregister', registered);
    await expect(webhooks.run('inspect', registered)).rejects.toThrow('Not found');
    const unknown = { ...group, project: '1' };
    await expect(webhooks.run('register', unknown)).rejects.toThrow('Not found');
  });

  it.each([
    ['zen:event-type:ticket.created', 'TicketCreated'],
    ['zen:event-type:ticket.comment_added', 'TicketCommentCreated'],
    ['zen:event-type:ticket.soft_deleted', 'TicketDeleted'],
    ['zen:event-type:ticket.status_changed', 'TicketUpdated'],
  ])('send %s as %s, signed with time and body', async (type, event) => {
    const webhooks = await over.webhooks();
    const time = '2026-11-22T08:00:00Z';
    const text = JSON.stringify({
      id: 'a1',
      type,
      time,
      subject: 'zen:ticket:4136',
      zendesk_event_version: '2022-11-06',
      detail: { id: '4136', subject: 'VPN drops', priority: 'URGENT', status: 'OPEN' },
    });
    const secrets = [{ reveal: () => 'sign-here' } as Secret];
    const headersOf = (key: string) => ({
      'x-zendesk-webhook-signature': createHmac('sha256', key)
        .update(time + text)
        .digest('base64'),
      'x-zendesk-webhook-signature-timestamp': time,
    });
    const messageOf = (key: string) =>
      webhooks.message(headersOf(key), Buffer.from(text), 'https://one.example/');
    const now = Date.parse(time);
    expect(() => webhooks.provider.check(messageOf('sign-here'), secrets, now)).not.toThrow();
    expect(() => webhooks.provider.check(messageOf('other'), secrets, now)).toThrow(
      'is not that of the message',
    );
    expect(() => webhooks.provider.check(messageOf('sign-here'), secrets, now + 600_000)).toThrow(
      'five minutes',
    );
    expect(webhooks.provider.map(messageOf('sign-here'))).toEqual({
      event_type: event,
      ticket_id: '4136',
      entity_date: time,
      priority: 'URGENT',
      short_description: 'VPN drops',
    });
  });
});
