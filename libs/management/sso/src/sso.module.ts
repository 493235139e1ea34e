import { type DynamicModule, Module } from '@nestjs/common';
import { SsoHandlers } from './sso.handlers.js';
import { SsoOptions } from './sso-options.js';

/** Single sign-on: its configurations, and the sign-ons of members by them. */
@Module({})
export class SsoModule {
  static with(options: SsoOptions): DynamicModule {
    return {
      module: SsoModule,
      controllers: [SsoHandlers],
      providers: [{ provide: SsoOptions, useValue: options }],
    };
  }
}
