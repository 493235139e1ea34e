import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake } from '#test/harness';

const over = new OverFake(
  new URL('../../../../libs/providers/azure-devops/', import.meta.url),
  'ticketing_azure_devops',
  {
    // People paste the address of the organization for that of the service.
    config: {
      url: 'https://dev.azure.example/alderpoint/',
      organization: 'alderpoint',
      project: 'Desk',
    },
    credential: ({ secret }) => ({ type: 'token', secret: secret ?? '' }),
  },
);
beforeAll(loadValidators);
beforeEach(() => {
  over.reset();
  over.answered = [];
});
/** The requests that contain a text, as the fake saw them. */
const requestsWith = (text: string) =>
  (over.answered ?? [])
    .map(({ key }) => decodeURIComponent(key.replaceAll('+', ' ')))
    .filter((key) => key.includes(text));
const path = { ticketId: '4136' };

describe('tickets of Azure DevOps', () => {
  it('are chosen by a query with the filters, in which texts stay in their quotes', async () => {
    const filter = [
      'created_at[gte]2026-11-10T08:00:00.500Z',
      "status[in]Active,It's",
      'priority[eq]HIGH',
      'name[like]the%printer*now',
    ];
    await over.all('ticketing_query_tickets', { filter, order: 'updated_at[desc]' });
    const [query = ''] = requestsWith('/wiql');
    expect(query).toContain("[System.CreatedDate] >= '2026-11-10T08:00:00.500Z'");
    expect(query).toContain("[System.State] IN ('Active', 'It''s')");
    expect(query).toContain('[Microsoft.VSTS.Common.Priority] IN (2)');
    expect(query).toContain("[System.Title] CONTAINS 'printer'");
    expect(query).toContain('ORDER BY [System.ChangedDate] DESC, [System.Id] DESC');
  });

  it('are read on behind the last one, each once', async () => {
    const all = await over.all('ticketing_query_tickets', { limit: 7 });
    expect(new Set(all.map((ticket) => ticket['id'] as string)).size).toBe(36);
    expect(requestsWith('/wiql')[1]).toMatch(
      /\(\[System.CreatedDate\] > '[^']+' OR \(\[System.CreatedDate\] >= '[^']+' AND \[System.Id\] > \d+\)\)/,
    );
  });

  it('are changed only in the revision that was read, and else read again', async () => {
    let changes = 0;
    over.intercept = ({ method }) => {
      if (method !== 'PATCH') return undefined;
      changes += 1;
      return changes === 1 ? { kind: 'status', status: 412 } : undefined;
    };
    const body = [{ op: 'replace', path: '/priority', value: 'LOW' }];
    const { result } = await over.succeed('ticketing_patch_ticket', { path, body });
    over.intercept = undefined;
    expect(changes).toBe(2);
    expect(result).toMatchObject({ priority: 'LOW' });
    expect(requestsWith('PATCH')[0]).toContain('{"op":"test","path":"/rev","value":2}');
  });

  it('of the type Bug have their description in the steps to reproduce', async () => {
    const body = { name: 'Crash', description: 'Press **any** key.', issue_type: 'Bug' };
    const { result } = await over.succeed('ticketing_create_ticket', { body });
    expect(result).toMatchObject({ description: body.description, issue_type: 'Bug' });
    const [sent = ''] = requestsWith('POST').filter((key) => key.includes('$Bug'));
    expect(sent).toContain('/fields/Microsoft.VSTS.TCM.ReproSteps');
    expect(sent).not.toContain('/fields/System.Description');
  });

  it('that could not get their state are named', async () => {
    const body = { name: 'Half', status: 'Unheard of' };
    const { message } = await over.refuse('ticketing_create_ticket', 400, { body });
    expect(message).toMatch(/work item \d+ was created, but not in the state "Unheard of"/);
  });

  it('are refused for another project', async () => {
    const body = { name: 'Elsewhere', project: 'Other' };
    const { message } = await over.refuse('ticketing_create_ticket', 400, { body });
    expect(message).toContain('is configured for the project "Desk"');
  });
});

describe('an integration of Azure DevOps', () => {
  it('is verified, and a token that has ended is named', async () => {
    expect((await over.verify()).status).toBe(200);
    over.answer = () => ({ status: 203, headers: {}, body: Buffer.from('') });
    const { body } = await over.verify();
    over.answer = undefined;
    expect(JSON.stringify(body)).toContain('does not accept the personal access token');
  });

  it('names the permission that is missing for an area', async () => {
    const message =
      'TF237111: The current user does not have permissions to save work items under the specified area path.';
    over.answer = (key) =>
      key.startsWith('PATCH')
        ? {
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(JSON.stringify({ message })),
          }
        : undefined;
    const body = [{ op: 'replace', path: '/priority', value: 'LOW' }];
    const { status, body: problem } = await over.call('ticketing_patch_ticket', { path, body });
    over.answer = undefined;
    expect(status).toBe(502);
    expect(JSON.stringify(problem)).toContain('TF237111');
  });
});

describe('webhooks of Azure DevOps', () => {
  it('are a subscription for each event, and deleted', async () => {
    const webhooks = await over.webhooks();
    const facts = { url: 'https://one.example/v1/hooks?token=t', secret: 'x', id: '' };
    const made = (await webhooks.run('register', { ...facts, project: 'Desk' })) as Json;
    expect(String(made['id']).split(',')).toHaveLength(5);
    const registered = { ...facts, project: 'Desk', id: String(made['id']) };
    expect(await webhooks.run('inspect', registered)).toEqual({ enabled: true });
    await webhooks.run('unregister', registered);
    await expect(webhooks.run('inspect', registered)).rejects.toThrow('cannot be found');
  });

  it.each([
    ['workitem.created', 'TicketCreated', { id: 4136 }],
    ['workitem.commented', 'TicketCommentCreated', { id: 4136 }],
    ['workitem.deleted', 'TicketDeleted', { id: 4136 }],
    ['workitem.updated', 'TicketUpdated', { id: 2, workItemId: 4136, revision: { id: 4136 } }],
  ])('send %s as %s', async (eventType, event_type, resource) => {
    const webhooks = await over.webhooks();
    const fields = { 'System.Title': 'VPN drops', 'Microsoft.VSTS.Common.Priority': 1 };
    const shown =
      'revision' in resource
        ? { ...resource, revision: { ...resource.revision, fields } }
        : { ...resource, fields };
    const text = JSON.stringify({
      id: 'a1',
      eventType,
      resource: shown,
      createdDate: '2026-11-22T08:00:00Z',
    });
    const message = webhooks.message({}, Buffer.from(text), 'https://one.example/');
    expect(webhooks.provider.map(message)).toEqual({
      event_type,
      ticket_id: '4136',
      entity_date: '2026-11-22T08:00:00Z',
      priority: 'URGENT',
      short_description: 'VPN drops',
    });
  });
});
