export { accountView } from './account-view.js';
export type {
  AuditEvents,
  EventDetails,
  SecurityEvent,
  Visit,
  VisitOutcome,
} from './audit-events.js';
export { checkDescription } from './description.js';
export { addressFault } from './address.js';
export { checkLabels } from './labels.js';
export { readDuration } from './duration.js';
export { compileYaml, documentNotes, documentView } from './document.js';
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
export { messagesOf, type Note } from './messages.js';
export { applyPatch, type PatchRules } from './patch.js';
export { membersOf, patchRecord } from './patch-record.js';
export { RecordHandlers, type RecordRules } from './record-handlers.js';
export { totalView } from './total-view.js';
export { changedNames, checkId, newRecord, recordView } from './record.js';
export { readTimeOrder } from './time-order.js';
