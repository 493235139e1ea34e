import { Module } from '@nestjs/common';
import { SubOrganizationsHandlers } from './sub-organizations.handlers.js';

@Module({ controllers: [SubOrganizationsHandlers] })
export class SubOrganizationsModule {}
