import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { connectionOptions, natsHosts, type NatsSettings } from './nats-settings.js';

const connectTimeoutMs = 5_000;

/** Connects to NATS once, for questions of an operator. @throws StartError for contradictory settings, Error that says why there is no connection */
export async function connectOnce(settings: NatsSettings): Promise<NatsConnection> {
  const hosts = natsHosts(settings);
  const options = { ...connectionOptions(settings), reconnect: false, timeout: connectTimeoutMs };
  return await connect(options).catch((error: unknown) => {
    if (error instanceof errors.AuthorizationError)
      throw new Error(`NATS at ${hosts} refuses the user or the password`, { cause: error });
    const cause = error instanceof Error ? error : new Error(String(error));
    throw new Error(`NATS at ${hosts} is not reached: ${cause.message}`, { cause });
  });
}
