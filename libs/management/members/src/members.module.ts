import { Module } from '@nestjs/common';
import { MembersHandlers } from './members.handlers.js';

/** Members: who may log on to an organization. */
@Module({ controllers: [MembersHandlers] })
export class MembersModule {}
