import { Module } from '@nestjs/common';
import { OrganizationHandlers } from './organization.handlers.js';

@Module({ controllers: [OrganizationHandlers] })
export class OrganizationModule {}
