// How soon a change of a schedule takes effect: from the request to the first batch of one that is switched on, and to the last batch of one that is
// switched off while it runs. Loaded by tools/bench-worker.mjs.
import { setTimeout as sleep } from 'node:timers/promises';

const rounds = 5;
const maxEffectMs = 60_000;
/** A run that goes on writes several batches in this time. */
const quietMs = 2_000;

/** @returns false if changes take effect later than they may */
export async function benchSchedules({ onefold }, integrated, server) {
  const { accountId, integrationId, sinkId } = integrated;
  const { api } = onefold;
  const path = { accountId, integrationId };
  // One that an event starts runs at once when it is switched on; by the clock, the first time is within five minutes.
  const schedule = {
    operation: 'ticketing_query_tickets',
    enabled: false,
    sink_integration_id: sinkId,
    frequency: { type: 'event', value: 'TicketUpdated' },
  };
  const change = (operation, pointer, value) =>
    api.call('integrations_patch', { path, body: [{ op: operation, path: pointer, value }] });
  const untilMore = async (count) => {
    const begun = performance.now();
    while (server.received.batches <= count) {
      if (performance.now() - begun > 5 * maxEffectMs) throw new Error('no batch came');
      await sleep(5);
    }
  };
  await change('add', '/scheduled_operations', [schedule]);
  /** @type {Record<'on' | 'off', number[]>} Milliseconds of each change. */
  const { on, off } = { on: [], off: [] };
  let lateBatches = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = server.received.batches;
    let begun = performance.now();
    await change('replace', '/scheduled_operations/0/enabled', true);
    await untilMore(before);
    on.push(performance.now() - begun);
    await untilMore(before + 2); // it goes on
    begun = performance.now();
    await change('replace', '/scheduled_operations/0/enabled', false);
    let last = performance.now() - begun;
    let known = server.received.batches;
    const atAnswer = known;
    while (performance.now() - begun < last + quietMs) {
      await sleep(5);
      if (server.received.batches === known) continue;
      known = server.received.batches;
      last = performance.now() - begun;
    }
    off.push(last);
    lateBatches = Math.max(lateBatches, known - atAnswer);
  }
  await change('replace', '/scheduled_operations', []);
  const seconds = (times) => (Math.max(...times) / 1_000).toFixed(1);
  const isMet = Math.max(...on, ...off) <= maxEffectMs && lateBatches <= 1;
  console.log(
    `a schedule switched on: first batch after ${seconds(on)} s at most; switched off: last batch after ${seconds(off)} s at most, ${lateBatches} after the answer`,
  );
  console.log(`  aim: within a minute and a page, ${isMet ? 'met' : 'MISSED'}`);
  return isMet;
}
