import { Module } from '@nestjs/common';
import { AdmitAgents } from './admit-agents.js';
import { BridgesHandlers } from './bridges.handlers.js';

@Module({ controllers: [BridgesHandlers, AdmitAgents] })
export class BridgesModule {}
