export {
  type AdministratorToken,
  createAdministratorToken,
  createOrganization,
  foundOrganization,
} from './bootstrap.js';
export { issueToken, type NewToken } from './issue-token.js';
export { adhocPermission } from './token-permissions.js';
export { type PairSecrets, pairView, tokenView, ttlBounds } from './token-record.js';
export { TokensModule } from './tokens.module.js';
