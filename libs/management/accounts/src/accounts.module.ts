import { Module } from '@nestjs/common';
import { ProviderCatalog } from '#management/integrations';
import { AccountsHandlers } from './accounts.handlers.js';

@Module({ controllers: [AccountsHandlers], providers: [ProviderCatalog] })
export class AccountsModule {}
