import { Module } from '@nestjs/common';
import { JobsHandlers } from './jobs.handlers.js';

@Module({ controllers: [JobsHandlers] })
export class JobsModule {}
