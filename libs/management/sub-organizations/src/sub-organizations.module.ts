import { Module } from '@nestjs/common';
import { ProviderCatalog } from '#management/integrations';
import { SubOrganizationsHandlers } from './sub-organizations.handlers.js';

@Module({ controllers: [SubOrganizationsHandlers], providers: [ProviderCatalog] })
export class SubOrganizationsModule {}
