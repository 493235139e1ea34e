import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '#management/accounts';
import { BillingModule } from '#management/billing';
import { BridgesModule } from '#management/bridges';
import { AuditModule } from '#management/audit';
import { AuthModule } from '#management/auth';
import { CapabilitiesModule } from '#management/capabilities';
import { ConnectSessionsModule } from '#management/connect-sessions';
import { CredentialsModule } from '#management/credentials';
import { CustomProvidersModule } from '#management/custom-providers';
import { IntegrationPointsModule } from '#management/integration-points';
import { IntegrationWebhooksModule } from '#management/integration-webhooks';
import { IntegrationsModule } from '#management/integrations';
import { MappingsModule } from '#management/mappings';
import { MembersModule } from '#management/members';
import { JobsModule } from '#management/jobs';
import { OrganizationModule } from '#management/organization';
import { OrganizationWebhooksModule } from '#management/organization-webhooks';
import { RolesModule } from '#management/roles';
import { type ManagementContext, ManagementContextModule } from '#management/core';
import { RequestsModule } from '#management/requests';
import { SsoModule, type SsoOptions } from '#management/sso';
import { SubOrganizationsModule } from '#management/sub-organizations';
import { StatusModule } from '#management/status';
import { TokensModule } from '#management/tokens';
import { ConfirmChanges } from './confirm-changes.js';
import { PingHandlers } from './ping.handlers.js';
import type { Budgets } from '@onefold/mapping';
import type { ProviderCatalogue } from '#providers';
import { ChangeFeed } from '#store';

/** All rooms of the management API. */
@Module({})
export class ManagementModule {
  static with(
    context: ManagementContext,
    providers: ProviderCatalogue,
    sso: SsoOptions,
    { budgets, feed }: { budgets: Budgets; feed: ChangeFeed },
  ): DynamicModule {
    return {
      module: ManagementModule,
      controllers: [PingHandlers, ConfirmChanges],
      providers: [{ provide: ChangeFeed, useValue: feed }],
      imports: [
        ManagementContextModule.with(context, providers),
        AccountsModule,
        BillingModule,
        BridgesModule,
        AuditModule,
        AuthModule,
        CapabilitiesModule,
        ConnectSessionsModule.with(sso.publicUrl, sso.egress),
        CredentialsModule,
        CustomProvidersModule,
        IntegrationPointsModule,
        IntegrationWebhooksModule.with(sso.publicUrl),
        IntegrationsModule.with(sso.egress),
        MappingsModule.with(budgets),
        MembersModule,
        JobsModule,
        OrganizationModule,
        OrganizationWebhooksModule.with(sso.egress),
        SsoModule.with(sso),
        SubOrganizationsModule,
        RequestsModule,
        RolesModule,
        StatusModule,
        TokensModule,
      ],
    };
  }
}
