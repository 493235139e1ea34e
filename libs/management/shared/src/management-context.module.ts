import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ManagementContext } from './management-context.js';

/** Gives the management rooms their context. */
@Global()
@Module({})
export class ManagementContextModule {
  static with(context: ManagementContext): DynamicModule {
    return {
      module: ManagementContextModule,
      providers: [{ provide: ManagementContext, useValue: context }],
      exports: [ManagementContext],
    };
  }
}
