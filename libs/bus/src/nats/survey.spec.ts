import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Kind, MessageSeal } from '../messages/sealed-message.js';
import { busKeys, type NatsServer, startNats } from '#test/harness';
import { NatsTransport, Refusals, surveyProcesses } from '../index.js';

const presence = 'onefold.presence';
let nats: NatsServer;
let raw: NatsConnection;
beforeAll(async () => {
  nats = await startNats();
  raw = await connect({ servers: nats.url });
});
afterAll(async () => {
  await raw.close();
  await nats.stop();
});

/** Announces a process at every question, as one of another version or clock does. */
function announce(head: object, now?: () => number): () => void {
  const seal = new MessageSeal(busKeys, new Refusals(), now);
  const subscription = raw.subscribe(presence, {
    callback: (_error, { data, reply }) => {
      if (reply === undefined || reply === '' || data.length === 0) return;
      const content = { head: JSON.stringify(head) };
      raw.publish(presence, seal.seal(Kind.presence, { subject: presence }, content));
    },
  });
  return () => subscription.unsubscribe();
}

it('hears the report of a process, and what it refuses', async () => {
  const report = () => Promise.resolve({ kind: 'gateway', ready: true, checks: {} });
  const one = await NatsTransport.connect(nats.url, { keys: busKeys, report });
  const found = await surveyProcesses({ natsUrl: nats.url }, { keys: busKeys, role: 'admin' });
  expect(found.processes).toEqual([
    { process: one.processId, kind: 'gateway', ready: true, checks: {}, peers: [], refused: [] },
  ]);
  await one.close();
});

it('lists a process of a version that reports nothing, by what it announces', async () => {
  const subjects = ['onefold.v1.edr.edr_query_alerts', 'onefold.internal.integrations.verify'];
  const stop = announce({ state: 'here', subjects });
  await raw.flush();
  const options = { keys: busKeys, role: 'admin', silenceMs: 1_000 };
  const { processes } = await surveyProcesses({ natsUrl: nats.url }, options);
  expect(processes).toEqual([
    { process: expect.stringMatching(/^[0-9a-f]{12}$/), serves: ['edr'] },
  ]);
  stop();
});

it('tells how far the clock of a refused process is off', async () => {
  const stop = announce({ state: 'here' }, () => Date.now() + 600_000);
  await raw.flush();
  const options = { keys: busKeys, role: 'admin', waitMs: 1_000, silenceMs: 1_500 };
  const { processes, refused } = await surveyProcesses({ natsUrl: nats.url }, options);
  expect(processes).toEqual([]);
  expect(refused).toEqual([
    expect.objectContaining({ reason: 'clock_skew', key: busKeys.current.id }),
  ]);
  expect(Math.abs((refused[0]?.clockMs ?? 0) - 600_000)).toBeLessThan(30_000);
  stop();
});

it('names the permission that its user has not', async () => {
  const strict = await startNats(
    'authorization: { users: [{ user: u, password: p, permissions: { subscribe: { deny: "onefold.presence" } } }] }',
  );
  const natsUrl = strict.url.replace('//', '//u:p@');
  await expect(surveyProcesses({ natsUrl }, { keys: busKeys, role: 'u' })).rejects.toThrow(
    'NATS does not let this user subscribe to onefold.presence: log on as "admin"',
  );
  await strict.stop();
});
