import { Module } from '@nestjs/common';
import { AuditHandlers } from './audit.handlers.js';

/** The audit trail, as it is read. Who writes it is {@link AuditTrail}, which every call passes. */
@Module({ controllers: [AuditHandlers] })
export class AuditModule {}
