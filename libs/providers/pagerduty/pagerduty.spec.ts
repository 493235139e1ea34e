import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import { ProviderOverFake } from '../../../test/harness/provider-over-fake.js';
import { sharedDescription } from '../../../test/harness/shared-description.js';

const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });
const policies = 'incidentresponse_query_escalation_policies';
const onCall = 'incidentresponse_query_escalation_policy_users_on_call';
const nameOf = (key: string) => world.people.find((one) => one.key === key)?.display_name;

let pagerduty: ProviderOverFake;
const description = sharedDescription(
  'pagerduty.json',
  {
    // It asks for a media type where there is no body, too.
    optionalHeaders: ['accept', 'content-type'],
    formats: { url: /^https?:/, tzinfo: /^[A-Z][a-z]+\/[A-Za-z_]+$/ },
  },
  // It describes references only; what is included has the type of the object.
  ({ components }) => {
    const { Oncall, TeamReference, UserReference } = components.schemas;
    TeamReference.allOf[1].properties.type = { enum: ['team', 'team_reference'] };
    UserReference.allOf[1].properties.type = { enum: ['user', 'user_reference'] };
    // Null where somebody is always on call, as its texts say.
    for (const name of ['schedule', 'start', 'end']) Oncall.properties[name].nullable = true;
  },
);
const connect = (principal = 'admin') =>
  new ProviderOverFake({
    ...{ folder: 'pagerduty', start, principal, description },
    configuration: (secret) => ({
      type: 'incidentresponse_pagerduty',
      credential: { type: 'token', secret },
    }),
  });
beforeEach(() => {
  pagerduty = connect();
});
afterEach(() => pagerduty.close());

const security = async () => (await pagerduty.all(policies))[1]?.['uid'] as string;

describe('escalation policies', () => {
  it('are those of the company, with their rules, targets and teams', async () => {
    const [operations, security] = await pagerduty.all(policies);
    expect([operations?.['name'], security?.['name']]).toEqual([
      'IT operations',
      'Security incidents',
    ]);
    expect(security).toMatchObject({
      desc: 'Who answers for security incidents',
      src_url: expect.stringMatching(/^https:\/\/alderpoint.pagerduty.com\/escalation_policies\/P/),
      teams: [{ type: 'incident_response_team', name: 'Security' }],
      // Delays are seconds.
      escalation_rules: [
        {
          escalation_delay: 900,
          targets: [
            {
              type: 'incident_response_schedule',
              name: 'Security incidents: on call',
              users: [{ type: 'incident_response_user_reference', name: 'Priya Raman' }],
            },
          ],
        },
        {
          escalation_delay: 1_800,
          targets: [
            {
              type: 'incident_response_user',
              name: 'Noor El Amrani',
              email_addr: 'noor.elamrani@alderpoint.example',
              timezone: 'Europe/Amsterdam',
              job_title: 'Head of Information Security',
              teams: [{ type: 'incident_response_team_reference', name: 'Security' }],
            },
          ],
        },
      ],
      unmapped: {
        num_loops: 2,
        type: 'escalation_policy',
        services: [{ type: 'service_reference' }],
      },
    });
  });

  it('are paged by offset, and asked for as PagerDuty describes', async () => {
    const pages = await pagerduty.pages(policies, 1);
    expect(pages.map((page) => page.length)).toEqual([1, 1]);
    expect(new Set(pages.flat().map(({ uid }) => uid as string)).size).toBe(2);
    const requests = pagerduty.requests();
    expect(requests.map(({ path, query }) => [path, query])).toEqual(
      ['0', '1'].map((offset) => [
        '/escalation_policies',
        { limit: '1', offset, 'include[]': ['teams', 'targets'] },
      ]),
    );
    expect(requests[0]?.headers).toMatchObject({
      accept: 'application/vnd.pagerduty+json;version=2',
      authorization: expect.stringMatching(/^Token token=./),
    });
  });
});

describe('users on call', () => {
  it('are those of the policy, each once, with their entry', async () => {
    const result = (
      await pagerduty.call(onCall, { path: { escalationPolicyId: await security() } })
    )['result'];
    const expected = world.on_call.filter(({ policy_name: name }) => name === 'Security incidents');
    expect(result).toMatchObject(
      expected.map(({ person, level }) => ({
        type: 'incident_response_user',
        name: nameOf(person),
        teams: [{ type: 'incident_response_team_reference', name: 'Security' }],
        unmapped: { on_call: { escalation_level: level } },
      })),
    );
    const [first, second] = (result as { unmapped: { on_call: object } }[]).map(
      ({ unmapped }) => unmapped.on_call,
    );
    expect(first).toMatchObject({ start: '2026-11-19T08:00:00Z', end: '2026-11-26T08:00:00Z' });
    expect(second).toMatchObject({ start: null, end: null, schedule: null });
    expect(pagerduty.requests().at(-1)).toMatchObject({
      path: '/oncalls',
      query: {
        'include[]': 'users',
        earliest: 'true',
        'escalation_policy_ids[]': await security(),
      },
    });
  });

  it('of a policy that there is not are a 404', async () => {
    const { message } = await pagerduty.refuse(onCall, 404, {
      path: { escalationPolicyId: 'PNONE00' },
    });
    expect(message).toContain('Not Found');
  });
});

describe('failures', () => {
  it.each([
    [{ kind: 'status', status: 500 }, 502, 'Internal Server Error'],
    [{ kind: 'garbage' }, 502, 'JSON'],
    [{ kind: 'limited', seconds: 900 }, 429, 'PagerDuty'],
    [{ kind: 'drift', alter: 'root = this.without("escalation_policies")' }, 502, 'page.count'],
  ])('%j is told', async (rule, status, message) => {
    const problem = await pagerduty.failing(policies, rule);
    expect(problem).toMatchObject({ status, message: expect.stringContaining(message) as unknown });
  });

  it('402 says that the account has not bought it', async () => {
    const problem = await pagerduty.failing(policies, { kind: 'status', status: 402 });
    expect(problem['status']).toBe(501);
  });

  it('of permission name the scope, and so does the verification', async () => {
    const policy = await security();
    const scheduler = connect('scheduler');
    const problem = await scheduler.refuse(onCall, 502, { path: { escalationPolicyId: policy } });
    expect(problem['remediation']).toContain('oncalls.read');
    expect(JSON.stringify((await scheduler.verify()).answer.body)).toContain('oncalls.read');
    expect((await pagerduty.verify()).answer.status).toBe(200);
    await scheduler.close();
  });
});
