import { type DynamicModule, Module } from '@nestjs/common';
import { Budgets } from '@onefold/mapping';
import { MappingsHandlers } from './mappings.handlers.js';

@Module({ controllers: [MappingsHandlers] })
export class MappingsModule {
  /** Configures the room. @param budgets the limits of mapping runs */
  static with(budgets: Budgets): DynamicModule {
    return { module: MappingsModule, providers: [{ provide: Budgets, useValue: budgets }] };
  }
}
