import { Module } from '@nestjs/common';
import { StatusHandlers } from './status.handlers.js';
import { TimeseriesHandlers } from './timeseries.handlers.js';

@Module({ controllers: [StatusHandlers, TimeseriesHandlers] })
export class StatusModule {}
