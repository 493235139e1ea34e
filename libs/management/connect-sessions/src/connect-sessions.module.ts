import { type DynamicModule, Module } from '@nestjs/common';
import type { EgressPolicy } from '#egress';
import { AuthorizationAnswerCall } from './authorization-answer.call.js';
import { AuthorizationPageCall } from './authorization-page.call.js';
import { AuthorizationServers } from './authorization-server.js';
import { AuthorizationsHandlers } from './authorizations.handlers.js';
import { ConnectOriginsCall } from './connect-origins.call.js';
import { ConnectSessionsHandlers } from './connect-sessions.handlers.js';
import { PageAddress } from './page-address.js';
import { RenewCredentialCall } from './renew-credential.call.js';
import { RevokeGrantCall } from './revoke-grant.call.js';
import { TokenRevocations } from './token-revocations.js';

@Module({})
export class ConnectSessionsModule {
  /**
   * @param publicUrl returns where the gateway is reached from outside
   * @param egress policy for calls of authorization servers
   */
  static with(publicUrl: () => string, egress: EgressPolicy): DynamicModule {
    return {
      module: ConnectSessionsModule,
      controllers: [
        ConnectSessionsHandlers,
        ConnectOriginsCall,
        AuthorizationsHandlers,
        AuthorizationPageCall,
        AuthorizationAnswerCall,
        RenewCredentialCall,
        RevokeGrantCall,
      ],
      providers: [
        { provide: PageAddress, useValue: new PageAddress(publicUrl) },
        { provide: AuthorizationServers, useFactory: () => new AuthorizationServers(egress) },
        { provide: TokenRevocations, useFactory: () => new TokenRevocations(egress) },
      ],
    };
  }
}
