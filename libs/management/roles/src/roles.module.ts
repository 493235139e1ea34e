import { Module } from '@nestjs/common';
import { PermissionSetsHandlers } from './permission-sets.handlers.js';
import { RolesHandlers } from './roles.handlers.js';

/** Roles, and the permission sets that they use. */
@Module({ controllers: [RolesHandlers, PermissionSetsHandlers] })
export class RolesModule {}
