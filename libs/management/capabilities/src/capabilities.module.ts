import { Module } from '@nestjs/common';
import { CapabilitiesHandlers } from './capabilities.handlers.js';

/** Tells callers what there is. */
@Module({ controllers: [CapabilitiesHandlers] })
export class CapabilitiesModule {}
