export { type AuditEntry, insertEntries } from './audit-entry.js';
export { AuditTrail } from './audit-trail.js';
export { AuditModule } from './audit.module.js';
export { SecretReads } from './secret-reads.js';
