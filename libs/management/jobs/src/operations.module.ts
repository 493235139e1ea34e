import { Module } from '@nestjs/common';
import { OperationsHandlers } from './operations.handlers.js';

@Module({ controllers: [OperationsHandlers] })
export class OperationsModule {}
