import { Module } from '@nestjs/common';
import { CapabilitiesHandlers } from './capabilities.handlers.js';

/** Lists the domains and providers of this installation. */
@Module({ controllers: [CapabilitiesHandlers] })
export class CapabilitiesModule {}
