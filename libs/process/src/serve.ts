import { connectNats, connectorRole } from '#bus';
import { servedDomains } from '#contract';
import { type ConfigurationClass, loadConfiguration, type ServiceConfiguration } from '#config';
import { JsonLog, runProcess, type Started, startService } from '#observe';
import { openBusKeys, openKeyring, Sealer } from '#secrets';
import { warnOfIgnoredProxy } from './ignored-proxy.js';
import { showKeys } from './show-keys.js';
import { type NestProcess, openModules, type Served } from './open-modules.js';
import type { ModuleParts } from './open-modules.js';

/** The settings that every process of a distributed installation has. */
type Settings = ServiceConfiguration & Parameters<typeof openKeyring>[0];

export interface ServeOptions<S extends Settings> {
  /** The name of the process, such as `gateway`. */
  name: 'gateway' | 'management' | 'connector' | 'operations';
  configuration: ConfigurationClass<S>;
  /** The domains of a connector. */
  domains?: (settings: S) => readonly string[];
  modules: readonly ((settings: S, parts: ModuleParts) => Served | Promise<Served>)[];
  /** Starts the process if it does more than listen on the bus. */
  listen?: (nest: NestProcess, settings: S) => Promise<Started>;
}

/** Runs a separate process from start to exit: settings, log, health, keys, NATS, and its modules. */
export async function serve<S extends Settings>(options: ServeOptions<S>): Promise<void> {
  const { name, modules, listen } = options;
  const begin = (stopping: AbortSignal) => {
    const settings = loadConfiguration(options.configuration);
    return startService({ name, ...settings }, async (observed) => {
      warnOfIgnoredProxy(observed.log, settings);
      const ring = await openKeyring(settings, observed.log, servedDomains);
      const [sealer, busKeys] = [new Sealer(ring), await openBusKeys(settings, ring, observed.log)];
      const keys = busKeys.derive('bus messages');
      showKeys(observed.metrics, ring, keys);
      const domains = options.domains?.(settings);
      const transport = await connectNats(settings, observed, {
        keys,
        role: domains === undefined ? name : connectorRole(domains),
        services: [name],
        ...(domains && { domains }),
        stopping,
      });
      return await openModules(
        modules.map((open) => (parts) => open(settings, parts)),
        {
          sealer,
          busKeys,
          transport,
          observed,
          isManagement: name === 'management',
          listen: listen && ((nest) => listen(nest, settings)),
        },
      );
    });
  };
  const log = new JsonLog({ service: name, write: (line) => process.stderr.write(line) });
  const printError = (error: string) => log.error({ message: 'the process has failed', error });
  await runProcess(begin, { printError });
}
