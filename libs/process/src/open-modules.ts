import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type FinishedCall,
  type Around,
  BusModule,
  BusServer,
  MessageBus,
  pingManagement,
  type Transport,
} from '#bus';
import { ObserveModule, type Observed, type Started, type Stop } from '#observe';
import { type KeySource, SealedBodies, type Sealer } from '#secrets';

/** A module of a process, with its hooks into every call. */
export interface Served {
  module: DynamicModule;
  /** Wraps every call of the API. */
  around?: Around;
  /** Called at the end of every call of the API. */
  answered?: (answered: FinishedCall) => void;
  /** The domains whose connector operations the process serves. */
  domains?: readonly string[];
  /** Runs while the process is still on the bus: ends the work that it does without a call. */
  drain?: Stop;
  /** Runs when no call is in flight any more. */
  close?: Stop;
}

/** Input for opening a module. */
export interface ModuleParts extends Observed {
  sealer: Sealer;
  /** Keys that all processes on the bus have. */
  busKeys: KeySource;
  bus: MessageBus;
}

export type OpenModule = (parts: ModuleParts) => Served | Promise<Served>;

/** A process as a Nest application. */
export interface NestProcess extends Observed {
  module: DynamicModule;
  strategy: BusServer;
}

type Watch = Omit<Served, 'module' | 'drain' | 'close'>;

interface Given {
  sealer: Sealer;
  /** The sealer's by default. */
  busKeys?: KeySource;
  transport: Transport;
  observed: Observed;
  /** False for a process that calls the management service of another one, and is not ready without it. */
  isManagement?: boolean;
  /** Starts the process if it does more than listen on the bus. */
  listen?: ((nest: NestProcess) => Promise<Started>) | undefined;
}

class ProcessModule {}

/** Opens modules one after the other and serves them together. If one fails, or the process cannot listen, the opened ones are closed. */
export async function openModules(
  modules: readonly OpenModule[],
  {
    sealer,
    busKeys = sealer,
    transport,
    observed,
    isManagement = true,
    listen = listenAtBus,
  }: Given,
): Promise<Started> {
  const bodies = new SealedBodies(busKeys.derive('bus'));
  const bus = new MessageBus(transport, bodies);
  if (!isManagement) observed.health.add('management', () => pingManagement(bus));
  observed.health.describe(() => {
    const [key] = sealer.currentIds;
    return key === undefined ? {} : { key };
  });
  const served: Served[] = [];
  const close = async () => {
    for (const one of served.splice(0).reverse()) await one.close?.();
  };
  try {
    for (const open of modules) served.push(await open({ ...observed, sealer, busKeys, bus }));
    const started = await listen({
      ...observed,
      module: {
        module: ProcessModule,
        imports: [
          BusModule.over(transport, bodies),
          ObserveModule.with(observed),
          ...served.map(({ module }) => module),
        ],
      },
      strategy: new BusServer(transport, bodies, {
        ...watchOf(served),
        // One that listens for requests itself counts them from their first byte.
        ...(listen === listenAtBus && {
          begun: (operation) => observed.metrics.request(operation),
        }),
      }),
    });
    return {
      ...started,
      stop: async () => {
        for (const one of served) await one.drain?.();
        await started.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    await transport.close();
    throw error;
  }
}

async function listenAtBus({ module, strategy, log: logger }: NestProcess): Promise<Started> {
  const app = await NestFactory.createMicroservice(module, { strategy, logger });
  await app.listen();
  return { stop: () => app.close() };
}

/** Collects the hooks of the modules; at most one module may have each hook. */
function watchOf(served: readonly Served[]): Watch {
  const watch = served.map(({ module: _module, drain: _drain, close: _close, ...rest }) => rest);
  return Object.assign({}, ...watch) as Watch;
}
