export { checkHasAdministrator } from './administrators.js';
export {
  type AdministratorToken,
  createAdministratorToken,
  createOrganization,
  foundOrganization,
} from './bootstrap.js';
export { endConnectSession } from './end-connect-session.js';
export { issueToken, type NewToken } from './issue-token.js';
export { resolveResources } from './resources.js';
export {
  adhocPermission,
  builtInRoles,
  permissionsOfRoles,
  rolePermission,
} from './token-permissions.js';
export { type PairSecrets, pairView, tokenView, ttlBounds } from './token-record.js';
export { endOfMaker } from './token-lifetime.js';
export { TokensModule } from './tokens.module.js';
