import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Health } from './health.js';
import { Metrics } from './metrics.js';

/** Provides the metrics and health of the process to every module. */
@Global()
@Module({})
export class ObserveModule {
  static with(parts: { health: Health; metrics: Metrics }): DynamicModule {
    return {
      module: ObserveModule,
      providers: [
        { provide: Health, useValue: parts.health },
        { provide: Metrics, useValue: parts.metrics },
      ],
      exports: [Health, Metrics],
    };
  }
}
