import { Module } from '@nestjs/common';
import { CustomsHandlers } from './customs.handlers.js';

@Module({ controllers: [CustomsHandlers] })
export class CustomsModule {}
