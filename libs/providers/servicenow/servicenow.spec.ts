import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import type { Secret } from '#secrets';
import { type Json, OverFake } from '#test/harness';

const folder = new URL('../../../../libs/providers/servicenow/', import.meta.url);
const config = { url: 'https://alderpoint.service-now.example/' };
const over = new OverFake(folder, 'ticketing_servicenow', {
  config,
  credential: ({ basic }) => ({
    type: 'basic',
    username: basic?.username ?? '',
    secret: basic?.password ?? '',
  }),
});
const security = new OverFake(folder, 'ticketing_servicenow_sir', {
  config: {
    ...config,
    default_creator: 'priya.raman@alderpoint.example',
    default_project: 'Security',
    default_issue_type: 'Phishing',
    custom_field_mappings: [
      { name: 'Risk', project_id: '*', provider_field_path: 'risk_score' },
      { name: 'Phase.name', project_id: '*', provider_field_path: 'fields.state.display_value' },
    ],
  },
  credential: ({ secret }) => ({ type: 'token', secret: secret ?? '' }),
});
beforeAll(loadValidators);
beforeEach(() => {
  for (const one of [over, security]) {
    one.reset();
    one.answered = [];
    one.answer = undefined;
  }
});

/** The requests to a path, as the fake saw them. */
const asked = (path: string, of = over) =>
  (of.answered ?? [])
    .map(({ key }) => key)
    .filter((key) => key.includes(path))
    .map((key) => decodeURIComponent(key.replaceAll('+', ' ')));
const reply = (body: unknown, headers: Record<string, string> = {}, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('tickets of ServiceNow', () => {
  it('are searched for by an encoded query with times in UTC', async () => {
    const filter = [
      'created_at[gte]2026-11-10T09:00:00.500+01:00',
      'updated_at[lt]2026-11-21T08:00:00Z',
      'status[in]New,In Progress',
      'priority[in]HIGH,LOW',
      'assignee[eq]lars.hendriks@alderpoint.example',
    ];
    await over.all('ticketing_query_tickets', { filter });
    const [first = ''] = asked('/table/incident');
    expect(first).toContain(
      'sys_created_on>=2026-11-10 08:00:00^sys_updated_on<=2026-11-21 08:00:00^stateIN1,2^ORstateNOT IN1,2,3,6,7,8^priorityIN2,4' +
        '^assigned_to.email=lars.hendriks@alderpoint.example^ORassigned_to.name=lars.hendriks@alderpoint.example^ORDERBYsys_created_on^ORDERBYsys_id',
    );
    expect(first).toContain('sysparm_display_value=all');
  });

  it.each([
    'x^ORstate=1',
    'x^NQactive=true',
    'javascript:gs.getUserID()',
    'x\n^ORDERBYnumber',
    '^',
    'a,b^c',
  ])('are not asked for by %j, which would be another query', async (value) => {
    for (const field of ['summary', 'issue_type', 'project', 'id', 'assignee', 'status']) {
      over.answered = [];
      const rows = await over.all('ticketing_query_tickets', {
        filter: [`${field}[eq]${JSON.stringify(value)}`],
      });
      expect(rows).toEqual([]);
      for (const key of asked('/table/incident'))
        expect(/sysparm_query=([^&]*?)(?:&| $)/.exec(key)?.[1]).toMatch(
          /^(?:sys_created_on>=[0-9: -]+\^sys_created_on>[0-9: -]+\^ORsys_id>[0-9a-f]{32}\^)?ORDERBYsys_created_on\^ORDERBYsys_id$/,
        );
    }
  });

  it('have the times of the database, not those of the user', async () => {
    const [ticket] = await over.all('ticketing_query_tickets');
    const body = (over.answered ?? []).find(({ key }) => key.includes('/table/incident'))?.response
      .body;
    const [row] = (JSON.parse(String(body)) as { result: Record<string, Json>[] }).result;
    const { value, display_value: shown } = row?.['sys_created_on'] as Record<string, string>;
    expect(shown).not.toBe(value);
    expect(ticket?.['created_at']).toBe(`${value?.replace(' ', 'T')}Z`);
  });

  it('are all read where rights hide whole pages', async () => {
    const all = await over.all('ticketing_query_tickets', {});
    let hidden = 0;
    over.reset();
    // The first request finds ten rows of which the user may see none.
    over.answer = (key) => {
      if (!key.includes('/table/incident?') || key.includes('sysparm_offset')) return undefined;
      if (hidden > 0) return undefined;
      hidden += 1;
      return reply({ result: [] }, { 'x-total-count': String(all.length + 100) });
    };
    const read = await over.succeed('ticketing_query_tickets', { query: { limit: 10 } });
    expect(hidden).toBe(1);
    expect(asked('sysparm_offset=').length).toBeGreaterThan(0);
    expect(read['result']).toBeDefined();
  });

  it('keep the impact where a new priority allows it, and else change both', async () => {
    const { result } = await over.succeed('ticketing_create_ticket', {
      body: { name: 'A', priority: 'HIGH' },
    });
    const path = { ticketId: (result as Json)['id'] as string };
    const change = async (value: string): Promise<unknown[]> => {
      const body = [{ op: 'replace', path: '/priority', value }];
      const { result: changed } = await over.succeed('ticketing_patch_ticket', { path, body });
      const { priority, custom_fields: fields } = changed as {
        priority: string;
        custom_fields: Json;
      };
      return [priority, fields['impact'] as string, fields['urgency'] as string];
    };
    expect(await change('LOW')).toEqual(['LOW', '2', '3']);
    expect(await change('MODERATE')).toEqual(['MODERATE', '2', '2']);
    expect(await change('CRITICAL')).toEqual(['CRITICAL', '1', '1']);
    expect(await change('PLANNING')).toEqual(['PLANNING', '3', '3']);
    const puts = asked('PATCH');
    expect(puts.filter((key) => key.includes('"priority"'))).toEqual([]);
  });

  it('name a person who is not exactly one user, and take no script for one', async () => {
    const body = { name: 'A', assignee: 'javascript:gs.getUserID()' };
    const { message } = await over.refuse('ticketing_create_ticket', 400, { body });
    expect(message).toContain('javascript:');
    expect(asked('/table/')).toEqual([]);
    const unknown = { name: 'A', contact: 'Nobody Known' };
    const refused = await over.refuse('ticketing_create_ticket', 400, { body: unknown });
    expect(refused['message']).toContain('"Nobody Known" is not exactly one active user');
  });

  it("have the vendor's words where a data policy asks for more", async () => {
    const [ticket] = await over.all('ticketing_query_tickets', { filter: ['status[eq]New'] });
    const { message } = await over.refuse('ticketing_patch_ticket', 400, {
      path: { ticketId: ticket?.['id'] as string },
      body: [{ op: 'replace', path: '/status', value: 'Resolved' }],
    });
    expect(message).toContain('The following fields are mandatory: Resolution code');
  });

  it.each([
    [
      'a sleeping instance',
      '<html><h1>Your instance is hibernating</h1></html>',
      200,
      'something else than expected',
    ],
    [
      'a cut query',
      {
        result: [],
        error: { message: 'Transaction cancelled: maximum execution time exceeded', detail: '' },
        status: 'failure',
      },
      200,
      'maximum execution time exceeded',
    ],
    [
      'a missing application',
      { error: { message: 'Invalid table incident', detail: null }, status: 'failure' },
      400,
      'Invalid table incident',
    ],
  ])(
    'are an error and no empty list where the answer is %s',
    async (_what, body, status, words) => {
      over.answer = (key) =>
        key.includes('/table/incident') ? reply(body, {}, status) : undefined;
      const { body: problem, status: got } = await over.call('ticketing_query_tickets', {});
      expect(got).toBeGreaterThanOrEqual(500);
      expect(JSON.stringify(problem)).toContain(words);
    },
  );

  it('are refused where the instance answers as to a call without a credential', async () => {
    over.answer = (key) =>
      key.includes('/table/incident')
        ? reply({ result: [] }, { 'x-is-logged-in': 'false' })
        : undefined;
    const { message } = await over.refuse('ticketing_query_tickets', 502, {});
    expect(message).toContain('credential');
  });
});

describe('comments of ServiceNow', () => {
  it('and notes are an error where the user may not read the journal', async () => {
    const [ticket] = await over.all('ticketing_query_tickets');
    over.answer = (key) =>
      key.includes('sys_journal_field')
        ? reply({ result: [] }, { 'x-total-count': '7' })
        : undefined;
    const path = { ticketId: ticket?.['id'] as string };
    for (const id of ['ticketing_list_comments', 'ticketing_list_notes'] as const) {
      const { message } = await over.refuse(id, 502, { path });
      expect(message).toContain('7 entries of the ticket, and the user may read none');
    }
  });

  it('are sent once, also where the vendor answers that it failed', async () => {
    const [ticket] = await over.all('ticketing_query_tickets');
    let sent = 0;
    over.intercept = ({ method }) => {
      if (method !== 'PATCH') return undefined;
      sent += 1;
      return { kind: 'status', status: 503 };
    };
    const path = { ticketId: ticket?.['id'] as string };
    await over.call('ticketing_create_comment', { path, body: { content: 'once' } });
    over.intercept = undefined;
    expect(sent).toBe(1);
  });
});

describe('security incidents of ServiceNow', () => {
  it('take what the configuration says for what a ticket does not', async () => {
    const { result } = await security.succeed('ticketing_create_ticket', {
      body: { name: 'A', custom_fields: { Risk: '77' } },
    });
    expect(result).toMatchObject({
      creator: 'priya.raman@alderpoint.example',
      issue_type: 'Phishing',
      status: 'Draft',
      custom_fields: { Risk: '77', 'Phase.name': 'Draft' },
    });
    const [made = ''] = asked('POST', security);
    expect(made).toContain('/table/sn_si_incident');
  });

  it('are of their own table, by a key in the header x-sn-apikey', async () => {
    const tickets = await security.all('ticketing_query_tickets');
    expect(tickets.length).toBeGreaterThan(30);
    expect(asked('/table/incident', security)).toEqual([]);
  });
});

describe('an integration of ServiceNow', () => {
  it.each([
    ['of the instance', undefined, 'https://alderpoint.service-now.example/oauth_token.do'],
    [
      'of the credential',
      'https://login.example/oauth_token.do',
      'https://login.example/oauth_token.do',
    ],
  ])('gets its tokens at the address %s', async (_whose, given, address) => {
    const asked: { url: string; body: string }[] = [];
    const client = new OverFake(folder, 'ticketing_servicenow', {
      config: { ...config, oauth_scopes: ['incident:read', 'users:read'] },
      credential: ({ client: accepted }) => ({
        type: 'o_auth_client',
        client_id: accepted?.id ?? '',
        client_secret: accepted?.secret ?? '',
        ...(given === undefined ? {} : { token_url: given }),
      }),
      before: ({ url, body }) => {
        if (url.includes('oauth_token'))
          asked.push({ url, body: Buffer.from(body as Uint8Array).toString() });
        return undefined;
      },
    });
    const tickets = await client.all('ticketing_query_tickets');
    expect(tickets.length).toBeGreaterThan(30);
    expect(new Set(asked.map(({ url }) => url))).toEqual(new Set([address]));
    expect(asked[0]?.body).toContain('scope=incident%3Aread+users%3Aread');
  });

  it('is verified, and told what the user lacks', async () => {
    expect((await over.verify()).status).toBe(200);
    over.answer = (key) =>
      key.includes('/table/incident') ? reply({ result: [] }, { 'x-total-count': '9' }) : undefined;
    const { status, body } = await over.verify();
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('itil');
    expect(body['message']).toContain('sees none of the records of the table');
    // A new instance has no incidents.
    over.answer = (key) =>
      key.includes('/table/incident') ? reply({ result: [] }, { 'x-total-count': '0' }) : undefined;
    expect((await over.verify()).status).toBe(200);
    over.answer = (key) =>
      key.includes('/table/incident') ? reply('<h1>Your instance is hibernating</h1>') : undefined;
    expect(JSON.stringify((await over.verify()).body)).toContain('the instance is hibernating');
  });
});

describe('webhooks of ServiceNow', () => {
  it.each([
    ['insert', 'TicketCreated'],
    ['update', 'TicketUpdated'],
    ['delete', 'TicketDeleted'],
    ['comment', 'TicketCommentCreated'],
  ])('send %s as %s, signed by the script of the instructions', async (event, type) => {
    const webhooks = await over.webhooks();
    expect(webhooks.provider.instructions).toContain("setEndpoint('{url}')");
    const text = JSON.stringify({
      event,
      sys_id: '9d385017c611228701d22104cc95c371',
      count: '3',
      updated_on: '2026-11-22 08:00:00',
      priority: '1',
      short_description: 'VPN drops',
    });
    const secrets = [{ reveal: () => 'sign-here' } as Secret];
    const messageOf = (key: string) =>
      webhooks.message(
        { 'x-onefold-signature': createHmac('sha256', key).update(text).digest('base64') },
        Buffer.from(text),
        'https://one.example/',
      );
    const now = Date.now();
    expect(() => webhooks.provider.check(messageOf('sign-here'), secrets, now)).not.toThrow();
    expect(() => webhooks.provider.check(messageOf('other'), secrets, now)).toThrow(
      'is not that of the message',
    );
    expect(webhooks.provider.map(messageOf('sign-here'))).toEqual({
      event_type: type,
      ticket_id: '9d385017c611228701d22104cc95c371',
      entity_date: '2026-11-22T08:00:00Z',
      priority: 'CRITICAL',
      short_description: 'VPN drops',
    });
  });
});
