import { Module } from '@nestjs/common';
import { IntegrationPointsHandlers } from './integration-points.handlers.js';

@Module({ controllers: [IntegrationPointsHandlers] })
export class IntegrationPointsModule {}
