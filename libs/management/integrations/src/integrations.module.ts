import { Module } from '@nestjs/common';
import { AuditModule } from '#management/audit';
import { IntegrationsHandlers } from './integrations.handlers.js';
import { ResolveIntegration } from './resolve-integration.js';

@Module({ imports: [AuditModule], controllers: [IntegrationsHandlers, ResolveIntegration] })
export class IntegrationsModule {}
