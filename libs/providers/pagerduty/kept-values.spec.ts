import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { describeProvider, readProviders } from '#provider-document';
import { OverFake } from '#test/harness';

const folder = new URL('./', import.meta.url);
/** Our priorities that PagerDuty's five do not distinguish, and what each becomes. */
const folded = [
  ['URGENT', 'CRITICAL'],
  ['MODERATE', 'MEDIUM'],
] as const;
let desk: OverFake;
let project: string;

beforeAll(() => loadValidators());
beforeEach(async () => {
  desk = new OverFake(folder, 'ticketing_pagerduty', {
    config: {
      url: 'https://api.pagerduty.com',
      default_creator: 'priya.raman@alderpoint.example',
    },
    credential: ({ secret }) => ({ type: 'token', secret }),
  });
  project = (await desk.all('ticketing_list_projects'))[0]?.['id'] as string;
});

const create = async (priority: string) => {
  const body = { name: 'Disk full', summary: 'Disk full', project, priority };
  return (await desk.call('ticketing_create_ticket', { body })).body;
};

// "Where a vendor has fewer values, the answer says so in `messages` and the capabilities list the values that survive."
describe('a value that PagerDuty does not have', () => {
  it.each(folded)('is named by a create: %s becomes %s', async (priority, kept) => {
    const { result, messages } = await create(priority);
    expect(result.priority).toBe(kept);
    expect(messages).toEqual({
      problems: [
        {
          status: 200,
          instance: 'value-not-kept',
          message: `priority was sent as ${priority}, the provider has ${kept}`,
          detail:
            'GET /v1/capabilities/providers/ticketing_pagerduty?expand=operations lists the values of priority.',
          context: { parameter: { id: '/priority', location: 'body' } },
          occurred_at: expect.any(String),
        },
      ],
    });
    const read = await desk.call('ticketing_get_ticket', { path: { ticketId: result.id } });
    expect(read.body['result'].priority).toBe(kept);
  });

  it.each(folded)('is named by a patch: %s becomes %s', async (priority, kept) => {
    const { result } = await create('LOW');
    const { status, body } = await desk.call('ticketing_patch_ticket', {
      path: { ticketId: result.id },
      body: [{ op: 'replace', path: '/priority', value: priority }],
    });
    expect([status, body['messages']?.problems[0]?.message]).toEqual([
      200,
      `priority was sent as ${priority}, the provider has ${kept}`,
    ]);
  });

  it('is not among those that the capabilities list, all of which come back as they were sent', async () => {
    const document = (await readProviders(folder)).find(
      ({ source }) => source.provider === 'ticketing_pagerduty',
    );
    const { fields } = describeProvider(document!).operations['ticketing_query_tickets'] ?? {};
    const values = fields?.['priority']?.values ?? [];
    expect(values.length).toBeGreaterThan(1);
    for (const [value] of folded) expect(values).not.toContain(value);
    for (const value of values) {
      const { result, messages } = await create(value);
      expect([result.priority, messages]).toEqual([value, undefined]);
    }
  });
});
