import { Module } from '@nestjs/common';
import { OrganizationWebhooksHandlers } from './organization-webhooks.handlers.js';

@Module({ controllers: [OrganizationWebhooksHandlers] })
export class OrganizationWebhooksModule {}
