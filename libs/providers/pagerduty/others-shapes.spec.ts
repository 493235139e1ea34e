import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverSystem, Receiver, runMapping } from '#test/harness';

const user = { id: 'PUSER01', type: 'user_reference', summary: 'Ana', self: 'https://x.example/u' };
const incident = (more: Json = {}): Json => ({
  id: 'PINC001',
  type: 'incident',
  title: 'Disk full',
  status: 'triggered',
  urgency: 'high',
  created_at: '2026-02-03T04:05:06Z',
  updated_at: '2026-02-03T04:05:06Z',
  service: { id: 'PSERV01', type: 'service_reference', summary: 'Storage' },
  ...more,
});

describe('what PagerDuty returns and its fake does not', () => {
  let receiver: Receiver;
  let pagerduty: OverSystem;
  let answers: Record<string, Json>;
  let asked: string[];

  beforeAll(async () => {
    await loadValidators();
    receiver = await Receiver.start();
    pagerduty = new OverSystem(new URL('./', import.meta.url), 'ticketing_pagerduty', {
      url: receiver.url.replace(/\/$/, ''),
      credential: { type: 'token', secret: 'key' },
    });
  });
  beforeEach(() => {
    answers = {};
    asked = [];
    receiver.answer = ({ path }, response) => {
      asked.push(decodeURIComponent(path));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answers[path.split('?')[0] ?? ''] ?? {}));
    };
  });
  afterAll(async () => {
    await pagerduty.close();
    await receiver.stop();
  });

  const read = async (one: Json) => {
    answers['/incidents/PINC001'] = { incident: one };
    const path = { ticketId: 'PINC001' };
    return (await pagerduty.succeed('ticketing_get_ticket', { path }))['result'] as Json;
  };

  it('asks for the body of an incident, which is left out otherwise', async () => {
    const body = { type: 'incident_body', details: 'It is full.' };
    expect(await read(incident({ body }))).toMatchObject({ description: 'It is full.' });
    expect(asked).toEqual([
      '/incidents/PINC001?include[]=body&include[]=first_trigger_log_entries',
    ]);
  });

  it('keeps a body that is an object', async () => {
    const body = { type: 'incident_body', details: { host: 'db-1', full: 95 } };
    const ticket = await read(incident({ body }));
    expect(ticket).toMatchObject({ unmapped: { body } });
    expect(ticket['description'] ?? null).toBeNull();
  });

  it('keeps what PagerDuty says of targets, and of those who are on call', async () => {
    const schedule = {
      id: 'PSCHED1',
      type: 'schedule_reference',
      summary: 'Night',
      self: 'https://x.example/s',
    };
    const escalation_policy = {
      id: 'PPOL001',
      type: 'escalation_policy_reference',
      summary: 'Ops',
    };
    answers['/escalation_policies'] = {
      escalation_policies: [
        {
          id: 'PPOL001',
          name: 'Ops',
          // A user who was deleted leaves nothing behind.
          escalation_rules: [
            { id: 'PRULE01', escalation_delay_in_minutes: 5, targets: [user, null, schedule] },
          ],
        },
      ],
      more: false,
    };
    const [policy] = await pagerduty.all('ticketing_query_escalation_policies');
    expect(policy?.['rules']).toMatchObject([
      {
        delay_seconds: 300,
        actors: [
          { type: 'agent_summary', id: 'PUSER01', name: 'Ana' },
          { type: 'schedule_summary', id: 'PSCHED1', name: 'Night' },
        ],
        unmapped: { escalation_delay_in_minutes: 5, targets: [user, schedule] },
      },
    ]);
    answers['/escalation_policies/PPOL001'] = { escalation_policy };
    answers['/oncalls'] = {
      oncalls: [{ user, schedule, escalation_policy, escalation_level: 2 }],
      more: false,
    };
    const path = { escalationPolicyId: 'PPOL001' };
    const { result } = await pagerduty.succeed('ticketing_list_on_call', { path });
    expect(result).toMatchObject([
      {
        uid: 'PUSER01',
        full_name: 'Ana',
        unmapped: { self: user.self, on_call: { escalation_policy, escalation_level: 2 } },
      },
    ]);
  });

  it.each([
    [{ priority: { id: 'PPRIO1', type: 'priority_reference', summary: 'P2' } }, 'HIGH'],
    [{ priority: { id: 'PPRIO2', name: 'Sev 1' } }, 'HIGH'],
    [{ priority: null }, 'HIGH'],
    [{ priority: null, urgency: 'low' }, 'LOW'],
  ])('has the priority of an incident with %j, in a message too', async (more, priority) => {
    expect(await read(incident(more))).toMatchObject({ priority });
    const event = { event_type: 'incident.triggered', occurred_at: '2026-02-03T04:05:06Z' };
    const message = { event: { ...event, data: incident(more) } };
    expect(runMapping(new URL('./', import.meta.url), 'webhook', message)).toMatchObject({
      ticket_id: 'PINC001',
      priority,
    });
  });
});
