export { credentialFaults } from './credential-faults.js';
export { mayUpdateCredentials } from './may-update-credentials.js';
export {
  type CredentialOwner,
  credentialView,
  insertCredential,
  openConfig,
  sealConfig,
} from './credential-record.js';
export { dropGrants, insertGrant } from './grant-record.js';
export {
  insertRenewal,
  type Issued,
  type Renewal,
  resolvedCredentials,
  sealForDomain,
  type Ticket,
  ticketsOf,
  timesOf,
} from './renewal-record.js';
export { CredentialsModule } from './credentials.module.js';
