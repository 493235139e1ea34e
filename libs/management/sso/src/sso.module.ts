import { type DynamicModule, Module } from '@nestjs/common';
import { IdentityProviders } from './identity-providers.js';
import { SignOnTrail } from './sign-on-trail.js';
import { SignOnCalls } from './sign-on.calls.js';
import { SsoHandlers } from './sso.handlers.js';
import { SsoOptions } from './sso-options.js';

/** Single sign-on: its configurations, and sign-ons through them. */
@Module({})
export class SsoModule {
  static with(options: SsoOptions): DynamicModule {
    return {
      module: SsoModule,
      controllers: [SsoHandlers, SignOnCalls],
      providers: [{ provide: SsoOptions, useValue: options }, IdentityProviders, SignOnTrail],
    };
  }
}
