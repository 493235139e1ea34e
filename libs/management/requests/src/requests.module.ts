import { Module } from '@nestjs/common';
import { ProviderCatalog } from '#management/integrations';
import { RecordingHandlers } from './recording.handlers.js';
import { ReplayHandlers } from './replay.handlers.js';
import { RequestsHandlers } from './requests.handlers.js';

/** Serves the request log, which connectors write, and the recording of bodies. */
@Module({
  controllers: [RequestsHandlers, RecordingHandlers, ReplayHandlers],
  providers: [ProviderCatalog],
})
export class RequestsModule {}
