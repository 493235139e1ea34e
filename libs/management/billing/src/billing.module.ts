import { Module } from '@nestjs/common';
import { BillingHandlers } from './billing.handlers.js';

@Module({ controllers: [BillingHandlers] })
export class BillingModule {}
