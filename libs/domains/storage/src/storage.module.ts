import { Module } from '@nestjs/common';
import { StorageHandlers } from './storage.handlers.js';

@Module({ controllers: [StorageHandlers] })
export class StorageModule {}
