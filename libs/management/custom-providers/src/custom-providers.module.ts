import { Module } from '@nestjs/common';
import { CustomProvidersHandlers } from './custom-providers.handlers.js';

@Module({ controllers: [CustomProvidersHandlers] })
export class CustomProvidersModule {}
