import { type Observed, patiently } from '#observe';
import { type NatsSettings, natsHosts } from './nats-settings.js';
import { NatsTransport } from './nats-transport.js';
import { Refusals } from './refusals.js';
import type { MessageKeys } from '../messages/sealed-message.js';

/** Connects a separate process to the bus, with a health check for both directions. @param role such as `gateway` */
export async function connectNats(
  settings: NatsSettings,
  { log, health, metrics }: Observed,
  { keys, role }: { keys: MessageKeys; role: string },
): Promise<NatsTransport> {
  const refused = metrics.counterBy(
    'onefold_bus_refused_messages_total',
    'Refused messages of the bus, by reason.',
    'reason',
  );
  const refusals = new Refusals((reason) => refused.add(reason));
  const connecting = NatsTransport.connect(settings, { keys, role, refusals });
  const transport = await patiently(log, `NATS at ${natsHosts(settings)}`, connecting);
  health.add('bus', () => transport.checkReady());
  return transport;
}
