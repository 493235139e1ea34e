import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ProviderCatalogue } from '#providers';
import { ManagementContext } from './management-context.js';

/** Provides the management rooms with their context and the providers. */
@Global()
@Module({})
export class ManagementContextModule {
  static with(context: ManagementContext, providers: ProviderCatalogue): DynamicModule {
    return {
      module: ManagementContextModule,
      providers: [
        { provide: ManagementContext, useValue: context },
        { provide: ProviderCatalogue, useValue: providers },
      ],
      exports: [ManagementContext, ProviderCatalogue],
    };
  }
}
