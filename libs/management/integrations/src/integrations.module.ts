import { Module } from '@nestjs/common';
import { AuditModule } from '#management/audit';
import { IntegrationsHandlers } from './integrations.handlers.js';
import { ProviderCatalog } from './provider-catalog.js';
import { ResolveIntegration } from './resolve-integration.js';

@Module({
  imports: [AuditModule],
  controllers: [IntegrationsHandlers, ResolveIntegration],
  providers: [ProviderCatalog],
})
export class IntegrationsModule {}
