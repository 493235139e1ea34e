export type {
  AuditEvents,
  EventDetails,
  SecurityEvent,
  Visit,
  VisitOutcome,
} from './audit-events.js';
export { type Chains, checkMappings, checkProviders } from './check-mappings.js';
export { checkDescription } from './description.js';
export { addressFault } from './address.js';
export { credentialFaults } from './credential-faults.js';
export { mayUpdateCredentials } from './may-update-credentials.js';
export { checkWebhookUrl } from './webhook-url.js';
export { checkLabels } from './labels.js';
export { checkSchedules } from './check-schedules.js';
export { parseDuration, readDuration } from './duration.js';
export { type CustomDocument, customDocuments } from './custom-documents.js';
export { compiled, documentView } from './document.js';
export { fault, faults, faultsBelow } from './faults.js';
export { ManagementContext } from './management-context.js';
export { ManagementContextModule } from './management-context.module.js';
export {
  candidateNames,
  checkFullname,
  checkName,
  chooseNames,
  type ChosenNames,
  isUuid,
} from './names.js';
export { applyPatch, type PatchRules } from './patch.js';
export { accountView } from './account-view.js';
export { organizationContact, organizationView } from './organization-view.js';
export { patchRecord } from './patch-record.js';
export {
  type CredentialOwner,
  credentialView,
  deleteCredentials,
  insertCredential,
  openConfig,
  sealConfig,
} from './credential-record.js';
export { changedNames, checkId, newRecord, recordView } from './record.js';
export { integrationPointView } from './integration-point-view.js';
export { organizationState } from './organization-state.js';
