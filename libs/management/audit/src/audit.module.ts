import { Module } from '@nestjs/common';
import { GatewayRecords } from './gateway-records.js';
import { AuditHandlers } from './audit.handlers.js';
import { SecretReads } from './secret-reads.js';

/** Lists the audit trail. {@link AuditTrail}, which every call passes, writes it. */
@Module({
  controllers: [AuditHandlers, GatewayRecords],
  providers: [SecretReads],
  exports: [SecretReads],
})
export class AuditModule {}
