import { type Health, type JsonLog, patiently } from '#observe';
import { NatsTransport } from './nats-transport.js';

/** The bus of a process of its own; its health says whether it is connected. @param natsUrl several servers separated by commas */
export async function connectNats(
  natsUrl: string,
  { log, health }: { log: JsonLog; health: Health },
): Promise<NatsTransport> {
  const { host } = new URL(natsUrl.split(',')[0] ?? '');
  const transport = await patiently(log, `NATS at ${host}`, NatsTransport.connect(natsUrl));
  health.add('bus', () => transport.isConnected);
  return transport;
}
