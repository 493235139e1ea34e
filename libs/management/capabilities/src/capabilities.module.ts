import { type DynamicModule, Module } from '@nestjs/common';
import type { Provider } from '#connect';
import { CapabilitiesHandlers, DESCRIBED_PROVIDERS } from './capabilities.handlers.js';

/** Tells callers what there is; which providers these are is the process's to say. */
@Module({})
export class CapabilitiesModule {
  static with(providers: readonly Provider[]): DynamicModule {
    return {
      module: CapabilitiesModule,
      controllers: [CapabilitiesHandlers],
      providers: [{ provide: DESCRIBED_PROVIDERS, useValue: providers }],
    };
  }
}
