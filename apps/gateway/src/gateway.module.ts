import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '#observe';
import { ProviderImages } from '#pages';
import { Authenticator } from './authenticate.js';
import { BridgeAgents } from './bridge-agents.js';
import { BridgeEndpoint } from './bridge-endpoint.js';
import { BodyBudget } from './body-budget.js';
import { BusiestOrganizations } from './busiest-organizations.js';
import { Callers } from './callers.js';
import { ClientAddresses } from './client-address.js';
import { ConnectController } from './connect.controller.js';
import { AuthorizationController } from './authorization.controller.js';
import { BeginAuthorizationController } from './begin-authorization.controller.js';
import { ConsoleController } from './console.controller.js';
import { HealthController } from './health.controller.js';
import { GatewaySettings } from './gateway-settings.js';
import { OperationServer } from './operation-server.js';
import { PathAliases } from './path-aliases.js';
import { McpController } from './mcp/mcp.controller.js';
import { RateLimits } from './rate-limits.js';
import { GatewayTrail } from './gateway-trail.js';
import { ReferenceController } from './reference.controller.js';
import { SignOnController } from './sign-on.controller.js';

/** Forwards HTTP requests to the bus. Requires BusModule and ObserveModule. */
@Module({})
export class GatewayModule {
  static with(settings: GatewaySettings): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        BeginAuthorizationController,
        AuthorizationController, // before the pages of the Connect UI, whose paths begin as its own
        ConnectController,
        ConsoleController,
        HealthController,
        McpController,
        ReferenceController,
        SignOnController,
      ],
      providers: [
        { provide: GatewaySettings, useValue: settings },
        Callers,
        ClientAddresses,
        Authenticator,
        BodyBudget,
        BridgeAgents,
        BridgeEndpoint,
        {
          provide: BusiestOrganizations,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new BusiestOrganizations(metrics),
        },
        GatewayTrail,
        OperationServer,
        { provide: PathAliases, useValue: new PathAliases(settings.pathAliases) },
        { provide: ProviderImages, useValue: ProviderImages.read(settings.providerImagesFolder) },
        RateLimits,
      ],
      exports: [OperationServer],
    };
  }
}
