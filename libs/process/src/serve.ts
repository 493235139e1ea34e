import { connectNats } from '#bus';
import { servedDomains } from '#contract';
import { type ConfigurationClass, loadConfiguration, type ServiceConfiguration } from '#config';
import { runProcess, type Started, startService } from '#observe';
import { openBusKeys, openKeyring, Sealer } from '#secrets';
import { type NestProcess, openModules, type Served } from './open-modules.js';
import type { ModuleParts } from './open-modules.js';

/** The settings that every process of a distributed installation has. */
type Settings = ServiceConfiguration & Parameters<typeof openKeyring>[0];

export interface ServeOptions<S extends Settings> {
  /** The name of the process, such as `gateway`. */
  name: string;
  configuration: ConfigurationClass<S>;
  /** The name on the bus and of the NATS user, if different. */
  role?: (settings: S) => string;
  modules: readonly ((settings: S, parts: ModuleParts) => Served | Promise<Served>)[];
  /** Starts the process if it does more than listen on the bus. */
  listen?: (nest: NestProcess, settings: S) => Promise<Started>;
}

/** Runs a separate process from start to exit: settings, log, health, keys, NATS, and its modules. */
export async function serve<S extends Settings>(options: ServeOptions<S>): Promise<void> {
  const { name, role = () => name, modules, listen } = options;
  await runProcess(() => {
    const settings = loadConfiguration(options.configuration);
    return startService({ name, ...settings }, async (observed) => {
      const ring = await openKeyring(settings, observed.log, servedDomains);
      const [sealer, busKeys] = [new Sealer(ring), await openBusKeys(settings, ring, observed.log)];
      const keys = busKeys.derive('bus messages');
      const transport = await connectNats(settings, observed, { keys, role: role(settings) });
      return await openModules(
        modules.map((open) => (parts) => open(settings, parts)),
        {
          sealer,
          busKeys,
          transport,
          observed,
          listen: listen && ((nest) => listen(nest, settings)),
        },
      );
    });
  });
}
