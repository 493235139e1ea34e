import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CustomProviders, type Provider } from '#connect';
import { ManagementContext } from './management-context.js';

/** The providers that are built in. */
export const PROVIDERS = Symbol('built-in providers');

/** Gives the management rooms their context, and the providers there are: built in, and compiled from documents. */
@Global()
@Module({})
export class ManagementContextModule {
  static with(context: ManagementContext, providers: readonly Provider[]): DynamicModule {
    return {
      module: ManagementContextModule,
      providers: [
        { provide: ManagementContext, useValue: context },
        { provide: PROVIDERS, useValue: providers },
        CustomProviders,
      ],
      exports: [ManagementContext, PROVIDERS, CustomProviders],
    };
  }
}
