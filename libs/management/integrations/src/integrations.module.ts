import { type DynamicModule, Module } from '@nestjs/common';
import { EgressPolicy } from '#egress';
import { AuditModule } from '#management/audit';
import { IntegrationsHandlers } from './integrations.handlers.js';
import { ProviderCatalog } from './provider-catalog.js';
import { ResolveIntegration } from './resolve-integration.js';

@Module({})
export class IntegrationsModule {
  /** @param egress refuses addresses that messages of providers could not be sent to */
  static with(egress: EgressPolicy): DynamicModule {
    return {
      module: IntegrationsModule,
      imports: [AuditModule],
      controllers: [IntegrationsHandlers, ResolveIntegration],
      providers: [ProviderCatalog, { provide: EgressPolicy, useValue: egress }],
    };
  }
}
