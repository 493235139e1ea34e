import { Module } from '@nestjs/common';
import { GatewayRecords } from './gateway-records.js';
import { AuditHandlers } from './audit.handlers.js';
import { SecretReads } from './secret-reads.js';

/** The audit trail, as it is read. Who writes it is {@link AuditTrail}, which every call passes. */
@Module({
  controllers: [AuditHandlers, GatewayRecords],
  providers: [SecretReads],
  exports: [SecretReads],
})
export class AuditModule {}
