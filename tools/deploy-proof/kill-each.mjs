// Kills each container of docker-compose.yml while it is called, and starts it again.
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from '../upgrade/load.mjs';

const services = ['management', 'connector', 'operations', 'gateway', 'nats', 'postgres'];
const maxBackMs = 180_000;
/** So many calls one after the other, of all kinds, must work before the next kill. */
const callsToTrust = 150;

/** @param smoke calls every domain and throws unless all answer @returns the report of the load */
export async function killEach({ containers, token, smoke, say }) {
  const address = () => containers.addressOf('onefold_gateway_1');
  const urlOf = async () => `http://${await address()}:8080`;
  const gateways = [await urlOf()];
  const load = await startLoad({ gateways, token });
  try {
    for (const service of services) {
      const before = load.report();
      await containers.compose('kill', '-s', 'SIGKILL', service);
      await containers.compose('up', '-d', '--no-build');
      gateways[0] = await urlOf();
      await waitForSuccess(load);
      const { failed } = load.report();
      say(
        `${service} was killed under load and is back, ${failed - before.failed} calls failed: ${await smoke()}`,
      );
    }
  } finally {
    await load.stop();
  }
  return load.report();
}

/** The calls of a report. */
export const totalOf = ({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Waits until so many calls have worked without a failure among them. @throws Error if that does not happen */
export async function waitForSuccess(load, calls = callsToTrust) {
  let last = load.report();
  for (const until = Date.now() + maxBackMs; ; await sleep(500)) {
    const now = load.report();
    if (now.failed > last.failed) last = now;
    else if (totalOf(now) - totalOf(last) >= calls) return;
    if (Date.now() > until)
      throw new Error(`calls still fail ${maxBackMs / 1000} s after: ${now.failures.at(-1)}`);
  }
}
