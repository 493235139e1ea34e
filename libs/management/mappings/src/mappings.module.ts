import { Module } from '@nestjs/common';
import { MappingsHandlers } from './mappings.handlers.js';

@Module({ controllers: [MappingsHandlers] })
export class MappingsModule {}
