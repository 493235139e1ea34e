import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Answered, type Around, BusModule, BusServer, MessageBus, type Transport } from '#bus';
import { ObserveModule, type Observed, type Started, type Stop } from '#observe';
import { SealedBodies, type Sealer } from '#secrets';

/** A module of a process, and what it has to do with every call. */
export interface Served {
  module: DynamicModule;
  /** What every call of the API passes. */
  around?: Around;
  /** Hears how every call of the API ended. */
  answered?: (answered: Answered) => void;
  /** The domains whose connector operations the process serves. */
  categories?: readonly string[];
  /** Runs once no call is under way any more. */
  close?: Stop;
}

/** What a module is opened with. */
export interface ModuleParts extends Observed {
  sealer: Sealer;
  bus: MessageBus;
}

export type OpenModule = (parts: ModuleParts) => Served | Promise<Served>;

/** A process as Nest sees it. */
export interface NestProcess extends Observed {
  module: DynamicModule;
  strategy: BusServer;
}

interface Given {
  sealer: Sealer;
  transport: Transport;
  observed: Observed;
  /** Starts the process where it does more than listen at the bus. */
  listen?: ((nest: NestProcess) => Promise<Started>) | undefined;
}

class ProcessModule {}

/** Opens modules one after the other, and serves them together. What was opened is closed when a later one fails, or the process cannot listen. */
export async function openModules(
  modules: readonly OpenModule[],
  { sealer, transport, observed, listen = listenAtBus }: Given,
): Promise<Started> {
  const bodies = new SealedBodies(sealer.derive('bus'));
  const bus = new MessageBus(transport, bodies);
  const served: Served[] = [];
  const close = async () => {
    for (const one of served.splice(0).reverse()) await one.close?.();
  };
  try {
    for (const open of modules) served.push(await open({ ...observed, sealer, bus }));
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
      strategy: new BusServer(transport, bodies, watchOf(served)),
    });
    return {
      ...started,
      stop: async () => {
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

/** What the modules of a process have to do with calls: of each kind, one module at most. */
function watchOf(served: readonly Served[]): Omit<Served, 'module' | 'close'> {
  const watch = served.map(({ module: _module, close: _close, ...rest }) => rest);
  return Object.assign({}, ...watch) as Omit<Served, 'module' | 'close'>;
}
