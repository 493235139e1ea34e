import { Module } from '@nestjs/common';
import { IntegrationsHandlers } from './integrations.handlers.js';
import { ResolveIntegration } from './resolve-integration.js';

@Module({ controllers: [IntegrationsHandlers, ResolveIntegration] })
export class IntegrationsModule {}
