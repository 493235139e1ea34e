import { expect, it } from '@jest/globals';
import { badEvents } from '../proof/operate/events.js';
import { runBadDay } from '../proof/operate/run-bad-day.js';

// All events of an operator's bad day: npm run proof -- operate.

const some = ['NATS down for 12 s', 'a gateway with another key'];

it('keeps to the budgets of a bad day: failed calls, recovery and alerts', async () => {
  const events = badEvents.filter(({ name }) => some.includes(name));
  expect(events).toHaveLength(some.length);
  const judged = await runBadDay(events, () => undefined);
  expect(judged.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))).toEqual(
    [],
  );
}, 600_000);
