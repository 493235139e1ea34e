import { Module } from '@nestjs/common';
import { TokenIntrospection } from './introspection.js';
import { LastUses } from './last-uses.js';
import { McpTokensHandlers } from './mcp-tokens.handlers.js';
import { OwnIntegrationsHandlers } from './own-integrations.handlers.js';
import { OwnTokenHandlers } from './own-token.handlers.js';
import { TokensHandlers } from './tokens.handlers.js';

/** Tokens: their management operations, and introspection for the gateway. */
@Module({
  controllers: [
    TokensHandlers,
    McpTokensHandlers,
    OwnIntegrationsHandlers,
    OwnTokenHandlers,
    TokenIntrospection,
  ],
  providers: [LastUses],
})
export class TokensModule {}
