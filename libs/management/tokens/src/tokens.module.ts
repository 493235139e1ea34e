import { Module } from '@nestjs/common';
import { TokenIntrospection } from './introspection.js';
import { TokensHandlers } from './tokens.handlers.js';

/** Tokens: the management operations, and what the gateway asks. */
@Module({ controllers: [TokensHandlers, TokenIntrospection] })
export class TokensModule {}
