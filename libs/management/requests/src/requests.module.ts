import { Module } from '@nestjs/common';
import { RequestsHandlers } from './requests.handlers.js';

/** Serves the request log, which connectors write. */
@Module({ controllers: [RequestsHandlers] })
export class RequestsModule {}
