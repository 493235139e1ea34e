import { Module } from '@nestjs/common';
import { CustomHandlers } from './custom.handlers.js';

@Module({ controllers: [CustomHandlers] })
export class CustomModule {}
