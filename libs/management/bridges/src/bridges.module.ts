import { Module } from '@nestjs/common';
import { BridgesHandlers } from './bridges.handlers.js';

@Module({ controllers: [BridgesHandlers] })
export class BridgesModule {}
