import { type DynamicModule, Module } from '@nestjs/common';
import { JobRequests } from './job-requests.js';
import { OperationsHandlers } from './operations.handlers.js';

/** `/v1/operations`, in the connector of every domain. Needs ConnectModule. */
@Module({})
export class OperationsModule {
  static with(requests: JobRequests): DynamicModule {
    return {
      module: OperationsModule,
      controllers: [OperationsHandlers],
      providers: [{ provide: JobRequests, useValue: requests }],
    };
  }
}
