import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Problem } from '#contract';
import { type RunningFake, startFake } from '#test/harness';
import type { Client } from './client.js';
import { type Onefold, startOnTestDatabase } from './onefold.js';

/**
 * Tests each way in which a provider can fail, through a provider document: its Problem, its duration, and that later
 * calls work.
 */
describe('a provider that fails', () => {
  let onefold: Onefold;
  let github: RunningFake;
  let tickets: Client;
  let silent: RunningFake;
  /** The call of a provider that never answers takes half a minute, so the other tests run meanwhile. */
  let unanswered: Promise<Problem>;

  async function connect(name: string, fake: RunningFake): Promise<Client> {
    const { api } = onefold;
    const { account } = (await api.call('accounts_create', { body: { name } })).result;
    const { token } = (
      await api.call('integrations_create', {
        path: { accountId: account.id },
        body: { name, provider_config: fake.configuration() as never },
      })
    ).result;
    return api.as(token.access.secret);
  }

  beforeAll(async () => {
    [onefold, github, silent] = await Promise.all([
      startOnTestDatabase(),
      startFake('github'),
      startFake('github'),
    ]);
    tickets = await connect('provider-faults', github);
    const waiting = await connect('never', silent);
    silent.reset(); // Forgets the requests of the verification.
    silent.engine.faults.add({ kind: 'never', times: 10 });
    unanswered = waiting.refuse('ticketing_create_ticket', 504, write);
    unanswered.catch(() => undefined); // The test that awaits it reports it.
  });
  beforeEach(() => github.reset());
  afterAll(async () => {
    await onefold.stop();
    await Promise.all([github.stop(), silent.stop()]);
  });

  const read = { path: { ticketId: '4136' } };
  const write = { body: { name: 'Disk full', summary: 'Disk full' } };
  const arrived = () => github.engine.log.requests.length;

  it.each([
    ['500', { kind: 'status', status: 500 }, 502, /answers 500/],
    ['401', { kind: 'status', status: 401 }, 502, /refuses the credential crd_/],
    ['garbage', { kind: 'garbage' }, 502, /something else than expected/],
    ['half a body', { kind: 'half' }, 502, /GitHub/],
    ['a cut connection', { kind: 'reset' }, 502, /GitHub/],
    ['a redirect to a private address', { kind: 'redirect' }, 502, /169\.254\.169\.254/],
  ] as const)('answers %s: the problem says so', async (_name, fault, status, message) => {
    github.engine.faults.add({ ...fault, times: 10 });
    const problem = await tickets.refuse('ticketing_get_ticket', status, read);
    expect(problem.message).toMatch(message);
    github.engine.faults.clear();
    expect((await tickets.call('ticketing_get_ticket', read)).result.id).toBe('4136');
  });

  it('causes one more try of a read, and none of a write, when it fails for a moment', async () => {
    github.engine.faults.add({ kind: 'status', status: 503 });
    await tickets.call('ticketing_get_ticket', read);
    expect(arrived()).toBe(2);
    github.reset();
    github.engine.faults.add({ kind: 'status', status: 503, times: 3 });
    const problem = await tickets.refuse('ticketing_create_ticket', 503, write);
    expect(problem.message).toMatch(/not available/);
    expect(arrived()).toBe(1);
  });

  it.each(['limited', 'secondary'])(
    'limits us (%s): waited out when short, passed on with Retry-After when not',
    async (kind) => {
      github.engine.faults.add({ kind, seconds: 2 });
      const start = Date.now();
      await tickets.call('ticketing_create_ticket', write);
      expect(Date.now() - start).toBeGreaterThan(900);
      expect(arrived()).toBe(2);
      github.engine.faults.add({ kind, seconds: 900 });
      const answer = await tickets.send('ticketing_get_ticket', read);
      expect(answer.status).toBe(429);
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(850);
      expect(wait).toBeLessThan(960);
    },
  );

  it('sends 200 MB: refused long before they are read, in bounded memory', async () => {
    const pid = onefold.processes['standalone']?.child.pid ?? 0;
    const peak = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const before = peak();
    github.engine.faults.add({ kind: 'huge', bytes: 200_000_000 });
    const problem = await tickets.refuse('ticketing_get_ticket', 502, read);
    expect(problem.message).toMatch(/too much/);
    expect((peak() - before) / 1024).toBeLessThan(150); // In MB; a response may have 32.
    await tickets.call('ticketing_get_ticket', read);
  });

  it('never answers: 504 within the time a call may take', async () => {
    const problem = await unanswered;
    expect(problem.message).toMatch(/did not answer in time/);
    expect(silent.engine.log.requests).toHaveLength(1);
  });

  it('shows the secret in none of these answers', () => {
    expect(onefold.processes['standalone']?.output()).not.toContain(github.credentials.secret);
  });
});
